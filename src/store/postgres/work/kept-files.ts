import { once } from "node:events"
import { createWriteStream, existsSync, mkdirSync, renameSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import type { KeptFiles } from "../../../runtime/kept-files.ts"
import { freeBytes, roomOf } from "../../shared/disk.ts"
import type { Db } from "../../sql/db.ts"

/** Bytes of a file in one row. */
const PART = 1 << 20

/** Keeps files in the database, so that any instance can go on with them; a folder holds copies of those in use here. */
export function keptFilesOf(db: Db, folder: string): KeptFiles {
  const path = (name: string) => join(folder, name)
  const reserve = roomOf(folder)
  return {
    async keep(bytes, size = 0) {
      // A copy comes here as soon as the file is opened.
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const room = reserve(size)
      // What was left by those who never came back.
      await db.run("DELETE FROM kept_files WHERE created_at < now() - interval '30 days'")
      const name = crypto.randomUUID()
      let part = 0
      const add = (chunk: Uint8Array) =>
        db.run("INSERT INTO kept_files (name, part, bytes) VALUES ($1, $2, $3)", [name, part++, chunk])
      try {
        let gathered: Uint8Array[] = []
        let size = 0
        for await (const chunk of bytes) {
          room.wrote(chunk.length)
          gathered.push(chunk)
          size += chunk.length
          if (size < PART) continue
          await add(Buffer.concat(gathered))
          gathered = []
          size = 0
        }
        if (size > 0 || part === 0) await add(Buffer.concat(gathered))
        return name
      } catch (error) {
        await db.run("DELETE FROM kept_files WHERE name = $1", [name]).catch(() => undefined)
        throw error
      } finally {
        room.release()
      }
    },
    free: () => freeBytes(existsSync(folder) ? folder : dirname(folder)),
    async open(name) {
      if (!existsSync(path(name)) && !(await fetched(name))) return undefined
      return Bun.file(path(name))
    },
    async remove(name) {
      rmSync(path(name), { force: true })
      await db.run("DELETE FROM kept_files WHERE name = $1", [name])
    },
    async olderThan(time) {
      const rows = await db.all<{ name: string }>(
        "SELECT name FROM kept_files GROUP BY name HAVING max(created_at) < to_timestamp($1::float8 / 1000)",
        [time],
      )
      return rows.map(({ name }) => name)
    },
  }

  /** False when there is no such file. */
  async function fetched(name: string): Promise<boolean> {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const partial = `${path(name)}.${crypto.randomUUID()}`
    const out = createWriteStream(partial, { mode: 0o600 })
    let part = 0
    for (; ; part++) {
      const row = await db.get<{ bytes: Uint8Array }>(
        "SELECT bytes FROM kept_files WHERE name = $1 AND part = $2",
        [name, part],
      )
      if (!row) break
      if (!out.write(row.bytes)) await once(out, "drain")
    }
    await new Promise<void>((resolve) => out.end(resolve))
    if (part === 0) {
      rmSync(partial, { force: true })
      return false
    }
    renameSync(partial, path(name))
    return true
  }
}
