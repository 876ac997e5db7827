// Files that wait for work which goes on behind its answer, beside the database: they are there after a restart.
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs"
import { dirname, join } from "node:path"
import { AppError } from "../../runtime/errors.ts"
import type { KeptFiles } from "../../runtime/kept-files.ts"
import { freeBytes, roomOf, sync } from "./disk.ts"

const FULL = "The disk is full: nothing was saved. Reading still works"
const isFull = (error: unknown) => ["ENOSPC", "EDQUOT"].includes((error as NodeJS.ErrnoException).code ?? "")

/** Keeps files in a folder, which is made when there is one to keep; only the owner of the data may read them. */
export function keptFilesIn(folder: string, free = freeBytes): KeptFiles {
  const path = (name: string) => join(folder, name)
  const reserve = roomOf(folder, free)
  return {
    async keep(bytes, size = 0) {
      const isNew = mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined
      const room = reserve(size)
      const name = crypto.randomUUID()
      const handle = openSync(path(name), "wx", 0o600)
      try {
        for await (const chunk of bytes) {
          for (let at = 0; at < chunk.length; ) at += writeSync(handle, chunk, at)
          room.wrote(chunk.length)
        }
        fsyncSync(handle)
        // Who is told that the work goes on must find its file after a power cut: the names count, too.
        if (isNew) sync(dirname(folder))
        sync(folder)
        return name
      } catch (error) {
        rmSync(path(name), { force: true })
        throw isFull(error) ? new AppError("storage_full", FULL, { cause: error }) : error
      } finally {
        room.release()
        closeSync(handle)
      }
    },
    free: () => free(existsSync(folder) ? folder : dirname(folder)),
    open: async (name) => (existsSync(path(name)) ? Bun.file(path(name)) : undefined),
    async remove(name) {
      rmSync(path(name), { force: true })
    },
    async olderThan(time) {
      if (!existsSync(folder)) return []
      return readdirSync(folder).filter((name) => {
        const stat = statSync(path(name), { throwIfNoEntry: false })
        return stat !== undefined && stat.mtimeMs < time
      })
    },
  }
}
