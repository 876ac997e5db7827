import { rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** A stream put into a temporary file, to be read at any place. */
export async function spooled(bytes: AsyncIterable<Uint8Array>): Promise<{ blob: Blob; remove(): void }> {
  const path = join(tmpdir(), `leaddb-upload-${crypto.randomUUID()}`)
  const remove = () => rmSync(path, { force: true })
  try {
    const sink = Bun.file(path).writer()
    for await (const chunk of bytes) {
      sink.write(chunk)
      await sink.flush()
    }
    await sink.end()
    return { blob: Bun.file(path), remove }
  } catch (error) {
    remove()
    throw error
  }
}
