import { existsSync, realpathSync, statSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { badRequest } from "../../runtime/errors.ts"
import { fileCare } from "../../store/open.ts"
import { grouped } from "../../text/text.ts"
import { json } from "./columns.ts"
import { command } from "./command.ts"
import { ADMIN, existingFile, Switch } from "./database.ts"

export const backup = command({
  name: "backup",
  about: "Copy the database to a file while the service runs",
  argument: { name: "FILE", about: "where the copy goes" },
  options: { force: { about: "replace FILE when it exists", schema: Switch }, ...ADMIN },
  examples: ["leaddb backup /backups/leads-2027-01-31.db"],
  async run(io, { data, database, json: asJson, force }, [named = ""]) {
    const file = existingFile(data, database)
    const target = resolve(named)
    refuseTarget(file, target, force)
    const began = performance.now()
    fileCare.backUp(file, target)
    const milliseconds = Math.round(performance.now() - began)
    const bytes = statSync(target).size
    if (asJson) io.out(json({ backup: { file: target, bytes, milliseconds } }))
    else io.out(`Copied ${file} to ${target}: ${grouped(bytes)} bytes in ${milliseconds} ms, checked.\n`)
    return 0
  },
})

function refuseTarget(file: string, target: string, force: boolean): void {
  if (!existsSync(dirname(target)))
    throw new Error(`${dirname(target)} does not exist: make the folder first`)
  // A log that is left beside the name would be replayed into the new file.
  for (const log of [`${target}-wal`, `${target}-journal`]) {
    if (existsSync(log) && statSync(log).size > 0) {
      throw new Error(`${log} exists, so ${target} seems to be a database in use: choose another name`)
    }
  }
  if (!existsSync(target)) return
  if (statSync(target).isDirectory()) throw badRequest(`FILE must be a file, and ${target} is a folder`)
  const live = realpathSync(file)
  if ([live, `${live}-wal`, `${live}-shm`].includes(realpathSync(target))) {
    throw badRequest("FILE must not be the database itself")
  }
  if (!force) throw new Error(`${target} exists: choose another name, or replace it with --force`)
}
