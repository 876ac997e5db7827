import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { openWriter } from "../../src/store/sqlite/file/connections.ts"
import { temporaryFolder } from "./folder.ts"

let empty: Uint8Array | undefined

/**
 * Writes an empty database of today's schema where a test is about to open one: running every migration takes longer
 * than all else of a service's start. The folder has to be there. Gives the file back.
 */
export function writeEmptyDatabase(file: string): string {
  empty ??= make(join(temporaryFolder(), "leads.db"))
  writeFileSync(file, empty, { mode: 0o600 })
  return file
}

function make(file: string): Uint8Array {
  openWriter(file).close()
  const bytes = readFileSync(file)
  rmSync(dirname(file), { recursive: true })
  return bytes
}
