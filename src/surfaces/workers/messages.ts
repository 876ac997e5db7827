// Messages between the service and its worker processes, which answer reads on the same port.
import type { Config } from "../cli/config.ts"
import type { PassingOn } from "../http/passing-on.ts"
import type { RequestCount } from "../ops/observer.ts"

/** The word that makes the program a worker process. */
export const SERVE_READS = "--serve-reads"

/** Given to a worker process when it starts. */
export interface WorkerProcessSettings {
  config: Config
  /** The port of the REST API, which is shared. */
  port: number
  /** Where the service takes the requests that a worker process does not answer. */
  passingOn: PassingOn
}

/** Report of a worker process since its last one. */
export interface Report {
  requests: RequestCount[]
  inFlight: number
  /** When keys were used last, in Unix seconds, by their ids. */
  used: Map<string, number>
}

export type ToWorkerProcess =
  | { type: "start"; settings: WorkerProcessSettings }
  /** Asks for a report. */
  | { type: "report" }
  /** No new requests: those in flight are finished, then the process ends. */
  | { type: "stop" }

export type FromWorkerProcess =
  | { type: "listening" }
  /** It cannot start. */
  | { type: "failed"; message: string }
  /** Lines for the log. */
  | { type: "log"; lines: string }
  | { type: "report"; report: Report }
