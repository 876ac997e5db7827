import type { Log } from "../../core/log.ts"
import { removeLeftFiles } from "../../domain/imports/run/left-files.ts"
import type { Services } from "../../domain/operation.ts"
import { repeatedly } from "../repeatedly.ts"

/** At the start and every hour: files of imports that are not under way go. */
export function watchLeftFiles(services: Services, log: Log): { stop(): Promise<void> } {
  const failure = "could not remove files of imports that are over"
  return repeatedly({ everyMs: 60 * 60 * 1_000, failure, work: () => removeLeftFiles(services) }, log)
}
