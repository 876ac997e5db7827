import type { Log } from "../../core/log.ts"
import { endCutOffImports } from "../../domain/imports/run/cut-off.ts"
import type { Services } from "../../domain/operation.ts"
import { repeatedly } from "../repeatedly.ts"

const EVERY_MS = 3_000
/** After a pause this long the machine or this process was suspended, and others with it: they get time to give a sign. */
const PAUSE_MS = 4 * EVERY_MS

/** At the start and every 3 s: ends imports whose process gives no sign of life, and those whose job is over. */
export function watchCutOffImports(services: Services, log: Log): { stop(): Promise<void> } {
  let last = performance.now()
  async function work(): Promise<void> {
    const now = performance.now()
    const wasSuspended = now - last > PAUSE_MS
    last = now
    if (!wasSuspended) await endCutOffImports(services)
  }
  return repeatedly({ everyMs: EVERY_MS, failure: "could not end imports that were cut off", work }, log)
}
