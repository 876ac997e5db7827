import { closeSync, mkdirSync, openSync, readSync, rmSync, writeSync } from "node:fs"
import { join } from "node:path"

/** Bytes that are written at a time. */
const CHUNK = 256 * 1024

/** Texts that are kept in a temporary file, since there are too many for memory. */
interface Scratch {
  /** Where the text begins, and its size in bytes. */
  add(text: string): { at: number; size: number }
  read(at: number, size: number): string
  close(): void
}

/** The file is made when more is kept than is written at a time, and has no name: it goes with the process. */
export function openScratch(folder: string): Scratch {
  const chunk = Buffer.allocUnsafe(CHUNK)
  let used = 0
  /** Bytes in the file. */
  let written = 0
  let handle: number | undefined

  function append(bytes: Uint8Array): void {
    handle ??= openNameless(folder)
    for (let from = 0; from < bytes.length; ) {
      const some = writeSync(handle, bytes, from, bytes.length - from, written)
      from += some
      written += some
    }
  }

  function flush(): void {
    append(chunk.subarray(0, used))
    used = 0
  }

  return {
    add(text) {
      // UTF-8 takes three bytes a unit at most.
      if (used + 3 * text.length > CHUNK && used > 0) flush()
      const at = written + used
      if (3 * text.length > CHUNK) {
        const bytes = Buffer.from(text)
        append(bytes)
        return { at, size: bytes.length }
      }
      const size = chunk.write(text, used)
      used += size
      return { at, size }
    },
    read(at, size) {
      if (at >= written) return chunk.toString("utf8", at - written, at - written + size)
      const bytes = Buffer.allocUnsafe(size)
      for (let got = 0; got < size; ) {
        const some = readSync(handle!, bytes, got, size - got, at + got)
        if (some === 0) throw new Error("a temporary file is cut off")
        got += some
      }
      return bytes.toString()
    },
    close() {
      if (handle !== undefined) closeSync(handle)
      handle = undefined
    },
  }
}

function openNameless(folder: string): number {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, `leaddb-scratch-${crypto.randomUUID()}`)
  const handle = openSync(path, "wx+", 0o600)
  try {
    rmSync(path)
  } catch {
    // Windows keeps the name of a file that is open: the folder is emptied at the next start.
  }
  return handle
}
