// Files that wait for work beside the database, as rows of their parts.
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs"
import { join } from "node:path"
import { decodeLine, encodeLine, type MovedCell } from "../lines.ts"
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

export async function* fileLines(
  folder: string,
  table: MovedTable,
  after: readonly MovedCell[] | undefined,
): AsyncGenerator<string[]> {
  const [lastName, lastPart] = (after ?? ["", -1]) as [string, number]
  for (const name of names(folder)) {
    if (name < lastName) continue
    const path = join(folder, name)
    const handle = openSync(path, "r")
    try {
      const buffer = Buffer.alloc(FILE_PART)
      for (let part = name === lastName ? lastPart + 1 : 0; part < partsOf(path); part++) {
        const length = readSync(handle, buffer, 0, FILE_PART, part * FILE_PART)
        yield [encodeLine(table, [name, part, buffer.subarray(0, length)])]
      }
    } finally {
      closeSync(handle)
    }
  }
}

export function writeFiles(folder: string, table: MovedTable, lines: readonly string[]): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const line of lines) {
    const [name, part, bytes] = decodeLine(table, line) as [string, number, Uint8Array]
    if (!NAME.test(name))
      throw new Error(`a kept file has the name ${JSON.stringify(name)}, which is not leaddb's`)
    const handle = openSync(join(folder, name), part === 0 ? "w" : "r+", 0o600)
    try {
      for (let at = 0; at < bytes.length; )
        at += writeSync(handle, bytes, at, bytes.length - at, part * FILE_PART + at)
    } finally {
      closeSync(handle)
    }
  }
}

export function removeFiles(folder: string): void {
  for (const name of names(folder)) rmSync(join(folder, name), { force: true })
}
