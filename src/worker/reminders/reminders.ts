// Work on leads that comes of time, not of a request.
import type { Log } from "../../core/log.ts"
import { tellDueLeads } from "../../domain/leads/due.ts"
import { tellWhatNeedsEnrichment } from "../../domain/leads/enrichment/queue.ts"
import type { Services } from "../../domain/operation.ts"
import { carryOutRetention } from "../../domain/privacy/retention-run.ts"
import { repeatedly } from "../repeatedly.ts"

type Watch = (services: Services, log: Log) => { stop(): Promise<void> }

/** Events of time are sent at most so many milliseconds late. */
const TELL_MS = 5_000
/** Milliseconds between two looks for leads that rules of retention are to erase. */
const ERASE_MS = 60_000

const watchDueLeads: Watch = (services, log) =>
  repeatedly(
    {
      everyMs: TELL_MS,
      failure: "could not tell of leads that are due",
      work: () => tellDueLeads(services),
    },
    log,
  )

const watchEnrichment: Watch = (services, log) =>
  repeatedly(
    {
      everyMs: TELL_MS,
      failure: "could not tell of leads that are to be enriched",
      work: () => tellWhatNeedsEnrichment(services),
    },
    log,
  )

const watchRetention: Watch = (services, log) =>
  repeatedly(
    {
      everyMs: ERASE_MS,
      failure: "could not carry out rules of retention",
      work: (isStopped) => carryOutRetention(services, isStopped),
    },
    log,
  )

/** Started with the service. */
export const REMINDERS: readonly Watch[] = [watchDueLeads, watchEnrichment, watchRetention]
