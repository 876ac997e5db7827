// Files that wait for work beside the database, as rows of their parts.
import { appendFileSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { decodeRow, encodeRow } from "../lines.ts"
import { FILE_PART, type MovedTable } from "../tables.ts"

/** As keptFilesIn names them. */
const NAME = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function names(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => NAME.test(name))
    .toSorted()
}

const partsOf = (path: string) => Math.max(1, Math.ceil(statSync(path).size / FILE_PART))

export function countFiles(folder: string): number {
  return names(folder).reduce((sum, name) => sum + partsOf(join(folder, name)), 0)
}

export async function* fileLines(folder: string, table: MovedTable): AsyncGenerator<string[]> {
  for (const name of names(folder)) {
    const path = join(folder, name)
    for (let part = 0; part < partsOf(path); part++) {
      const bytes = await Bun.file(path)
        .slice(part * FILE_PART, (part + 1) * FILE_PART)
        .bytes()
      yield [encodeRow(table, { name, part, bytes })]
    }
  }
}

/** Writes parts in their order. */
export function writeFiles(folder: string, table: MovedTable, lines: readonly string[]): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const line of lines) {
    const { name, part, bytes } = decodeRow(table, line) as { name: string; part: number; bytes: Uint8Array }
    if (!NAME.test(name))
      throw new Error(`a kept file has the name ${JSON.stringify(name)}, which is not leaddb's`)
    const write = part === 0 ? writeFileSync : appendFileSync
    write(join(folder, name), bytes, { mode: 0o600 })
  }
}

export function removeFiles(folder: string): void {
  for (const name of names(folder)) rmSync(join(folder, name), { force: true })
}
