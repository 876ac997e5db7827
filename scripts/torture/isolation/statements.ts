// Every SQL text that the engine prepares while something is done.
import { Database } from "bun:sqlite"

type Method = "prepare" | "query" | "run" | "exec"
const METHODS: readonly Method[] = ["prepare", "query", "run", "exec"]

/** Does the work and gives back the SQL that was prepared or run meanwhile, each text once. */
export async function collectStatements(work: () => Promise<void>): Promise<string[]> {
  const seen = new Set<string>()
  const prototype = Database.prototype as unknown as Record<
    Method,
    (sql: string, ...more: unknown[]) => unknown
  >
  const originals = METHODS.map((method) => [method, prototype[method]] as const)
  for (const [method, original] of originals) {
    prototype[method] = function (this: Database, sql: string, ...more: unknown[]) {
      seen.add(sql)
      return original.call(this, sql, ...more)
    }
  }
  try {
    await work()
  } finally {
    for (const [method, original] of originals) prototype[method] = original
  }
  return [...seen]
}
