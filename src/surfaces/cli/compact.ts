import { systemClock, unixSeconds } from "../../runtime/clock.ts"
import { fileCare } from "../../store/open.ts"
import type { Compaction } from "../../store/shared/file-care.ts"
import { grouped } from "../../text/text.ts"
import { forgetOldChanges } from "../../worker/upkeep.ts"
import { command, json } from "./command.ts"
import { OPTIONS } from "./config.ts"
import { ADMIN, existingFile, withStore } from "./database.ts"

export const compact = command({
  name: "compact",
  about: "Free unused space in the database while the service runs",
  options: { changesKeep: OPTIONS.changesKeep, ...ADMIN },
  examples: ["leaddb compact", "leaddb compact --changes-keep 90d"],
  async run(io, { data, database, json: asJson, changesKeep }) {
    const file = existingFile(data, database, "its autovacuum gives back room by itself")
    const now = unixSeconds(systemClock.now())
    await withStore({ file }, (store) => forgetOldChanges(store, changesKeep, now))
    const { before, after } = await fileCare.compact(file, asJson ? () => {} : told(io.err))
    const use = fileCare.use(file)
    if (asJson) io.out(json({ compact: { file, before, after, use } }))
    else io.out(`${file}: ${grouped(before)} bytes before, ${grouped(after)} now.\n`)
    return 0
  },
})

/** Says how far it is. */
function told(out: (text: string) => void) {
  return (step: Compaction) =>
    out(
      step === "writing" ? "Writing the file anew; what is written meanwhile waits for it.\n" : "Written.\n",
    )
}
