import type { Log } from "../../core/log.ts"
import { removeLeftFiles } from "../../domain/imports/run/left-files.ts"
import type { Services } from "../../domain/operation.ts"

const EVERY_MS = 60 * 60 * 1_000

/** At the start and every hour: files of imports that are not under way go. */
export function watchLeftFiles(services: Services, log: Log): { stop(): Promise<void> } {
  let running: Promise<void> | undefined
  function begin(): void {
    running ??= removeLeftFiles(services)
      .catch((error) => log.error("could not remove files of imports that are over", {}, error))
      .finally(() => {
        running = undefined
      })
  }
  begin()
  const looking = setInterval(begin, EVERY_MS)
  looking.unref()
  return {
    async stop() {
      clearInterval(looking)
      await running
    },
  }
}
