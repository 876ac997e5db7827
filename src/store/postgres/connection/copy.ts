// Reads and writes whole tables as lines, with COPY.
import type { ReservedSQL } from "bun"

/** Characters of lines that are handed on together, about. */
const CHARACTERS = 1_000_000

/** The lines of a COPY ... TO STDOUT, some at a time. */
export async function* copyOut(sql: ReservedSQL, statement: string): AsyncGenerator<string[]> {
  const decoder = new TextDecoder()
  let begun = ""
  for await (const chunk of sql.unsafe(statement).readable()) {
    begun += decoder.decode(chunk, { stream: true })
    if (begun.length < CHARACTERS) continue
    const end = begun.lastIndexOf("\n")
    if (end < 0) continue
    yield begun.slice(0, end).split("\n")
    begun = begun.slice(end + 1)
  }
  if (begun !== "") yield begun.slice(0, -1).split("\n")
}

/** Resolves when the server has taken the lines. */
export async function copyIn(sql: ReservedSQL, statement: string, lines: readonly string[]): Promise<void> {
  if (lines.length === 0) return
  const writer = sql.unsafe(statement).writable().getWriter()
  await writer.write(`${lines.join("\n")}\n`)
  await writer.close()
}
