import type { Log } from "../../core/log.ts"
import { tellDueLeads } from "../../domain/leads/due.ts"
import type { Services } from "../../domain/operation.ts"
import { repeatedly } from "../repeatedly.ts"

/** Sends `lead.due` while the service runs, at most so many milliseconds late. */
const EVERY_MS = 5_000

export function watchDueLeads(services: Services, log: Log): { stop(): Promise<void> } {
  const failure = "could not tell of leads that are due"
  return repeatedly({ everyMs: EVERY_MS, failure, work: () => tellDueLeads(services) }, log)
}
