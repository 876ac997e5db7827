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
import type { KeptFiles } from "../core/kept-files.ts"
import { sync } from "./disk.ts"

/** Keeps files in a folder, which is made when there is one to keep; only the owner of the data may read them. */
export function keptFilesIn(folder: string): KeptFiles {
  const path = (name: string) => join(folder, name)
  return {
    async keep(bytes) {
      const isNew = mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined
      const name = crypto.randomUUID()
      const handle = openSync(path(name), "wx", 0o600)
      try {
        for await (const chunk of bytes)
          for (let at = 0; at < chunk.length; ) at += writeSync(handle, chunk, at)
        fsyncSync(handle)
        // Who is told that the work goes on must find its file after a power cut: the names count, too.
        if (isNew) sync(dirname(folder))
        sync(folder)
        return name
      } catch (error) {
        rmSync(path(name), { force: true })
        throw error
      } finally {
        closeSync(handle)
      }
    },
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
