import { systemClock, unixSeconds } from "../../runtime/clock.ts"
import { fileCare } from "../../store/open.ts"
import type { Compaction } from "../../store/shared/file-care.ts"
import { grouped } from "../../text/text.ts"
import { forgetOldChanges } from "../../worker/upkeep.ts"
import { command } from "./command.ts"
import { OPTIONS } from "./config.ts"
import { ADMIN, existingFile, withStore } from "./database.ts"

const STEPS: Readonly<Record<Compaction, string>> = {
  writing: "Writing the file anew; what is written meanwhile waits for it.\n",
  written: "Written.\n",
}

export const compact = command({
  name: "compact",
  about: "Free unused space in the database while the service runs",
  options: { changesKeep: OPTIONS.changesKeep, ...ADMIN },
  examples: ["leaddb compact", "leaddb compact --changes-keep 90d"],
  async run({ data, database, json: isForPrograms, changesKeep }, _, io) {
    const file = existingFile(data, database, "its autovacuum gives back room by itself")
    const now = unixSeconds(systemClock.now())
    await withStore({ file }, (store) => forgetOldChanges(store, changesKeep, now))
    const { before, after } = await fileCare.compact(file, (step) => {
      if (!isForPrograms) io.err(STEPS[step])
    })
    const use = fileCare.use(file)
    return {
      json: { compact: { file, before, after, use } },
      text: `${file}: ${grouped(before)} bytes before, ${grouped(after)} now.\n`,
    }
  },
})
