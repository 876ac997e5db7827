import { existsSync, realpathSync, statSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { fileTime, systemClock } from "../../runtime/clock.ts"
import { badRequest } from "../../runtime/errors.ts"
import { fileCare } from "../../store/open.ts"
import type { Restored } from "../../store/shared/file-care.ts"
import { counted, grouped } from "../../text/text.ts"
import { command } from "./command.ts"
import { databaseFile, flag } from "./config.ts"
import { ADMIN, existingFile, refuseDatabase } from "./database.ts"

export const backup = command({
  name: "backup",
  about: "Copy the database to a file while the service runs",
  argument: { name: "FILE", about: "where the copy goes" },
  options: { force: flag("replace FILE when it exists"), ...ADMIN },
  examples: ["leaddb backup /backups/leads-2027-01-31.db"],
  async run({ data, database, force }, [named = ""]) {
    const file = existingFile(data, database)
    const target = resolve(named)
    refuseDatabaseFiles(file, target)
    refuseTarget(target, force)
    const began = performance.now()
    fileCare.backUp(file, target)
    const milliseconds = Math.round(performance.now() - began)
    const bytes = statSync(target).size
    return {
      json: { backup: { file: target, bytes, milliseconds } },
      text: `Copied ${file} to ${target}: ${grouped(bytes)} bytes in ${milliseconds} ms, checked.\n`,
    }
  },
})

/** Throws where a copy could not be written: the folder is missing, or the name is taken. */
export function refuseTarget(target: string, force: boolean): void {
  if (!existsSync(dirname(target)))
    throw new Error(`${dirname(target)} does not exist: make the folder first`)
  if (!existsSync(target)) return
  if (statSync(target).isDirectory()) throw badRequest(`FILE must be a file, and ${target} is a folder`)
  if (!force) throw new Error(`${target} exists: choose another name, or replace it with --force`)
}

/** Throws where a copy would overwrite a database in use. */
function refuseDatabaseFiles(file: string, target: string): void {
  // A log that is left beside the name would be replayed into the new file.
  for (const log of [`${target}-wal`, `${target}-journal`]) {
    if (existsSync(log) && statSync(log).size > 0) {
      throw new Error(`${log} exists, so ${target} seems to be a database in use: choose another name`)
    }
  }
  const live = realpathSync(file)
  if (existsSync(target) && [live, `${live}-wal`, `${live}-shm`].includes(realpathSync(target)))
    throw badRequest("FILE must not be the database itself")
}

/** How many keys are named. */
const MOST_NAMED = 10

export const restore = command({
  name: "restore",
  about: "Restore a backup over the database; stop the service first",
  argument: { name: "FILE", about: "a copy that leaddb backup made" },
  options: { force: flag("overwrite even another program's database"), ...ADMIN },
  examples: ["leaddb restore /backups/leads-2027-01-31.db"],
  async run({ data, database, secretKey: key, force }, [named = ""]) {
    const from = resolve(named)
    refuseDatabase(database)
    const file = databaseFile(data)
    refuseSource(from, file)
    const began = performance.now()
    const restored = fileCare.restore(from, file, fileTime(systemClock.now()), { force, key })
    const milliseconds = Math.round(performance.now() - began)
    const warnings = warningsOf(restored)
    return {
      json: { restore: { file, from, ...restored, milliseconds }, warnings },
      text:
        restoredText(from, file, restored, milliseconds) + warnings.map((text) => `\n${text}.\n`).join(""),
    }
  },
})

function refuseSource(from: string, file: string): void {
  const stat = statSync(from, { throwIfNoEntry: false })
  if (!stat) throw new Error(`${from} does not exist`)
  if (!stat.isFile()) throw badRequest(`FILE must be a file, and ${from} is none`)
  if (existsSync(file) && realpathSync(from) === realpathSync(file)) {
    throw badRequest("FILE must not be the database itself")
  }
}

function restoredText(from: string, file: string, restored: Restored, milliseconds: number): string {
  const { bytes, accounts, leads, replaced } = restored
  return [
    `Restored ${from} to ${file}: ${grouped(bytes)} bytes in ${grouped(milliseconds)} ms, checked.\n`,
    `It holds ${counted(leads, "lead")} of ${counted(accounts, "account")}.\n`,
    replaced === null ? "" : `The database that was there is now ${replaced}: delete it when all is well.\n`,
  ].join("")
}

/** Warnings for the person who restores, as sentences without a full stop. */
function warningsOf({ schema, replaced, revived, carried, waiting, secrets }: Restored): string[] {
  const warnings: string[] = []
  if (schema.has < schema.knows) {
    warnings.push(
      `The backup is of an older leaddb (schema ${schema.has} of ${schema.knows}): ` +
        "it is brought up to date when the service starts",
    )
  }
  if (secrets === "no key") {
    warnings.push(
      "The secrets in the backup are encrypted: leaddb needs LEADDB_SECRET_KEY as it was when the backup was made",
    )
  }
  if (secrets === "wrong key") {
    warnings.push(
      "The secrets in the backup are encrypted with another LEADDB_SECRET_KEY than the one that is set: leaddb needs the one of that time",
    )
  }
  if (revived === null || revived.length > 0) warnings.push(revivedWarning(revived))
  if (carried.entries > 0)
    warnings.push(
      `${counted(carried.entries, "entry", "entries")} of the do-not-contact list were made after the backup: they are kept`,
    )
  if (carried.erased > 0)
    warnings.push(
      `${counted(carried.erased, "lead was", "leads were")} erased after the backup: they are erased again when the service starts`,
    )
  if (replaced !== null)
    warnings.push("What was made or changed after the backup is in the replaced database alone")
  if (waiting > 0) {
    warnings.push(
      `${counted(waiting, "webhook delivery waits", "webhook deliveries wait")} in the backup: when the service starts ` +
        "it sends what receivers may have had before, and know by X-Service-Delivery",
    )
  }
  return warnings
}

function revivedWarning(revived: Restored["revived"]): string {
  const advice = "see leaddb keys list, and revoke with leaddb keys revoke what must not work"
  if (revived === null) return `API keys that were revoked after the backup are valid again: ${advice}`
  const named = revived.slice(0, MOST_NAMED).map(({ name, prefix }) => `"${name}" (${prefix}...)`)
  const more = revived.length > MOST_NAMED ? ` and ${revived.length - MOST_NAMED} more` : ""
  const keys = counted(revived.length, "API key that was", "API keys that were")
  return `${keys} revoked after the backup can be used again: ${named.join(", ")}${more}; ${advice}`
}
