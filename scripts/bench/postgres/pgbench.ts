// Statements that are sent by pgbench, which does nothing else.
import { join } from "node:path"
import { postgresProgram } from "../../../test/support/postgres-server.ts"
import { outputOf } from "../programs.ts"

const PROGRAM = postgresProgram("pgbench")

export const hasPgbench = PROGRAM !== undefined

/** What to tell people when there is no pgbench. */
export const NO_PGBENCH =
  "pgbench is not installed: `apt-get install postgresql-contrib` (or postgresql, which has it)"

export interface Script {
  /** Lines of a script of pgbench. */
  text: string
  /** Its variables, with values that need not be numbers. */
  variables: Readonly<Record<string, string>>
  /** What connections set when they begin. */
  settings: Readonly<Record<string, string>>
}

/** Scripts a second. Throws an Error when pgbench fails. */
export async function pgbench(
  database: string,
  { text, variables, settings }: Script,
  { connections, seconds, folder }: { connections: number; seconds: number; folder: string },
): Promise<number> {
  const file = join(folder, `pgbench-${process.pid}.sql`)
  await Bun.write(file, text)
  const command = [
    ...[PROGRAM!, "--no-vacuum", "--protocol=prepared", "--jobs=1", `--file=${file}`],
    ...[`--client=${connections}`, `--time=${seconds}`],
    ...Object.entries(variables).map(([name, value]) => `--define=${name}=${value}`),
    database,
  ]
  const options = Object.entries(settings).map(
    ([name, value]) => `-c ${name}=${value.replaceAll(/[\\ ]/g, "\\$&")}`,
  )
  const { out, problem, code } = await outputOf(command, { PGOPTIONS: options.join(" ") })
  const rate = Number(/^tps = ([\d.]+)/m.exec(out)?.[1])
  const failed = Number(/^number of failed transactions: (\d+)/m.exec(out)?.[1] ?? 0)
  if (code !== 0 || !(rate > 0) || failed > 0) throw new Error(`pgbench failed (${code}): ${problem || out}`)
  return rate
}
