// What is known of earlier runs, so that a long one that was cut short can be taken up again.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { version } from "../../package.json"
import type { Numbers, RowResult } from "./row.ts"

/** A row that is finished has its `result`, one that was cut short the `counts` it had kept. */
interface Known {
  result?: RowResult & { seconds: number }
  counts?: Numbers
}

export interface State {
  /** Scratch folder of this state of the sources. */
  folder: string
  of(row: string): Known
  set(row: string, known: Known): void
}

/** Opens what is known of the commit that is checked out; `fresh` forgets it. */
export function openState(form: string, fresh: boolean): State {
  const folder = join(tmpdir(), `leaddb-torture-${commit()}`)
  const file = join(folder, `${form}.json`)
  if (fresh) rmSync(file, { force: true })
  mkdirSync(folder, { recursive: true })
  const known = read(file)
  return {
    folder,
    of: (row) => known[row] ?? {},
    set(row, what) {
      // Others may be running other rows at the same time.
      Object.assign(known, read(file), { [row]: what })
      writeFileSync(file, JSON.stringify(known, null, 2))
    },
  }
}

function read(file: string): Record<string, Known> {
  try {
    return JSON.parse(readFileSync(file, "utf8"))
  } catch {
    return {}
  }
}

/** The commit, where there is git; the version elsewhere. */
function commit(): string {
  try {
    const { success, stdout } = Bun.spawnSync(["git", "rev-parse", "--short", "HEAD"], {
      cwd: import.meta.dir,
      stderr: "ignore",
    })
    if (success) return stdout.toString().trim()
  } catch {
    // There is no git here.
  }
  return version
}
