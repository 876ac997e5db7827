import { closeSync, mkdirSync, openSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

let folder = tmpdir()

/** Where uploads are put from now on. */
export function spoolIn(place: string): void {
  folder = place
}

/** Where uploads and what is worked out of them are put. */
export const spoolFolder = () => folder

/** A stream put into a file that nobody else can read, to be read at any place; it goes with the folder. */
export async function spooled(bytes: AsyncIterable<Uint8Array>): Promise<Blob> {
  const path = join(folder, `leaddb-upload-${crypto.randomUUID()}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  closeSync(openSync(path, "wx", 0o600))
  const sink = Bun.file(path).writer()
  for await (const chunk of bytes) {
    sink.write(chunk)
    await sink.flush()
  }
  await sink.end()
  return Bun.file(path)
}
