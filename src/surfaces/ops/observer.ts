// Observes every request: its id, its line in the log, its metrics.
import type { Clock } from "../../runtime/clock.ts"
import type { AppError } from "../../runtime/errors.ts"
import type { Log, RequestLine } from "../../runtime/log.ts"
import { counter, gauge, histogram, type Metric } from "../../runtime/metrics.ts"
import { createHistogram, type Histogram, type Observed } from "../../runtime/vitals.ts"

/** Short, and nothing that could break out of a log line or a header. */
const HARMLESS = /^[\w.:~+/=@-]{1,128}$/

/**
 * Gives each request the id that its sender gave it, if that is harmless and not an API key, else one of our own: a
 * random word of this run and a number.
 */
export function createRequestIds(): (sent: string | null) => string {
  const run = crypto.randomUUID().slice(-12)
  let last = 0
  return (sent) => {
    const isKept = sent !== null && HARMLESS.test(sent) && !sent.includes("ldb_")
    return isKept ? sent : `${run}-${(++last).toString(36)}`
  }
}

/** A request's trace on its way through the service. */
export interface Trace extends RequestLine {
  /** Monotonic milliseconds. */
  readonly began: number
  /** The account that asks, by its public id. */
  account?: string
  /** The path with names for its parts, such as `/api/v1/leads/:id`. */
  route?: string
  /** A probe: not worth a line while all is well. */
  isProbe?: boolean
  /** The answer, when it has the id already, and what it is. */
  named?: Response
  isFile?: boolean
  /** A file, or events that come one by one. */
  isStream?: boolean
  /** Another process answers it, which also counts and logs it. */
  isPassedOn?: true
}

/** Who knows where a request comes from; asked where that is needed. */
interface From {
  readonly address: string
}

/** Watches the requests of one listener. */
export interface Watch {
  begin(request: Request, from: From): Trace
  /** Puts the request's id on its answer, which may become another Response than was given. */
  end(trace: Trace, response: Response): Response
  /** For a request that was refused unread, since there are too many: they are counted and not logged one by one. */
  turnAway(request: Request, error: AppError): Response
}

/** Counts of one route. */
export interface RequestCount {
  labels: { listener: string; method: string; route: string }
  seconds: Observed
  statuses: Map<number, number>
}

interface Observer {
  /** `paths` are those of routes that do not name themselves; any other path counts as "other". */
  watch(listener: string, paths?: ReadonlySet<string>): Watch
  metrics(): Metric[]
  /** Counts since the last call, for an observer elsewhere, and the requests in flight. */
  take(): { requests: RequestCount[]; inFlight: number }
  /** Adds what an observer elsewhere has counted. */
  add(requests: readonly RequestCount[]): void
}

/** Seconds. */
const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

/** How often the log speaks of requests that were turned away. */
const TELL_EVERY_MS = 10_000

/** One route's numbers. */
interface Series extends Omit<RequestCount, "seconds"> {
  seconds: Histogram
}

/** `inFlightElsewhere` are requests that other processes answer for this one. */
export function createObserver(log: Log, clock: Clock, inFlightElsewhere = () => 0): Observer {
  const idFor = createRequestIds()
  /** By listener, route and method. */
  let all = new Map<string, Map<string, Map<string, Series>>>()
  let inFlight = 0
  let turnedAway = 0
  let told: ({ error: AppError } & ReturnType<typeof asSent>) | undefined
  let toldAt = Number.NEGATIVE_INFINITY

  /** By nested maps: a name is not put together for each request. */
  function seriesOf(listener: string, method: string, route: string): Series {
    const methods = child(child(all, listener), route)
    let series = methods.get(method)
    if (!series) {
      series = { labels: { listener, method, route }, seconds: createHistogram(BOUNDS), statuses: new Map() }
      methods.set(method, series)
    }
    return series
  }
  const allSeries = () =>
    [...all.values()].flatMap((routes) => [...routes.values()].flatMap((one) => [...one.values()]))

  /** Says it at the first one, and then now and then how many there were. */
  function tellTurnedAway(): void {
    turnedAway++
    if (clock.monotonic() - toldAt < TELL_EVERY_MS) return
    toldAt = clock.monotonic()
    log.warn("more is asked than can be done: requests are refused with 503", { refused_so_far: turnedAway })
  }

  return {
    watch: (listener, paths) => ({
      begin(request, from) {
        inFlight++
        const id = idFor(request.headers.get("x-request-id"))
        return new RequestTrace(id, request.method, pathOf(request.url), clock.monotonic(), from)
      },
      end(trace, response) {
        inFlight--
        if (trace.isPassedOn) return response
        const { method, path, route = paths?.has(path) ? path : "other" } = trace
        const { status } = response
        const milliseconds = clock.monotonic() - trace.began
        const { seconds, statuses } = seriesOf(listener, METHODS.has(method) ? method : "other", route)
        seconds.observe(milliseconds / 1000)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        if (!trace.isProbe || status >= 400) log.request(trace, status, milliseconds)
        return response === trace.named ? response : named(response, trace.id)
      },
      turnAway({ headers, method }, error) {
        const { statuses } = seriesOf(listener, METHODS.has(method) ? method : "other", "refused")
        statuses.set(error.status, (statuses.get(error.status) ?? 0) + 1)
        tellTurnedAway()
        // The error is mostly the same object: an overloaded service serialises it once.
        if (told?.error !== error) told = { error, ...asSent(error) }
        told.headers["X-Request-Id"] = idFor(headers.get("x-request-id"))
        return new Response(told.text, told)
      },
    }),
    metrics: () => requestMetrics(allSeries(), inFlight + inFlightElsewhere()),
    take() {
      const requests = allSeries().map((series) => ({ ...series, seconds: series.seconds.read() }))
      all = new Map()
      return { requests, inFlight }
    },
    add(requests) {
      for (const { labels, seconds, statuses } of requests) {
        const series = seriesOf(labels.listener, labels.method, labels.route)
        series.seconds.add(seconds)
        for (const [status, count] of statuses)
          series.statuses.set(status, (series.statuses.get(status) ?? 0) + count)
      }
    },
  }
}

/** The map within a map; a new one where there is none. */
function child<V>(map: Map<string, Map<string, V>>, key: string): Map<string, V> {
  const inner = map.get(key)
  if (inner) return inner
  const made = new Map<string, V>()
  map.set(key, made)
  return made
}

class RequestTrace implements Trace {
  declare key?: string
  declare account?: string
  declare route?: string
  declare isProbe?: boolean
  declare named?: Response
  declare isFile?: boolean
  declare isStream?: boolean
  declare isPassedOn?: true

  constructor(
    readonly id: string,
    readonly method: string,
    readonly path: string,
    readonly began: number,
    private readonly from: From,
  ) {}

  get address(): string {
    return this.from.address
  }
}

/** An error as it goes out, but for the id of the request. */
function asSent(error: AppError) {
  const headers: Record<string, string> = { "Content-Type": "application/json", ...error.headers }
  return { text: JSON.stringify(error.toRest()), status: error.status, headers }
}

function requestMetrics(all: readonly Series[], inFlight: number): Metric[] {
  return [
    counter(
      "leaddb_http_requests_total",
      "Requests that were answered.",
      all.flatMap(({ labels, statuses }) =>
        [...statuses].map(([status, count]) => [{ ...labels, status: String(status) }, count] as const),
      ),
    ),
    histogram(
      "leaddb_http_request_duration_seconds",
      "Time from the arrival of a request to its answer, without the sending of bodies.",
      all.map(({ labels, seconds }) => [labels, seconds]),
    ),
    gauge("leaddb_http_requests_in_flight", "Requests that are being answered.", inFlight),
  ]
}

/** The path of a URL that the server made: without query, and without the origin, which some have not. */
function pathOf(url: string): string {
  const start = url.startsWith("/") ? 0 : url.indexOf("/", url.indexOf("//") + 2)
  const end = url.indexOf("?", start)
  return url.slice(start, end < 0 ? undefined : end)
}

function named(response: Response, id: string): Response {
  try {
    response.headers.set("X-Request-Id", id)
    return response
  } catch {
    // A redirect's headers cannot be changed.
    const headers = new Headers(response.headers)
    headers.set("X-Request-Id", id)
    return new Response(response.body, { status: response.status, headers })
  }
}

/** Values that the listener passes along with a request. */
export interface RestBindings {
  readonly address: string
  /** Lifts the idle timeout of this request: for long answers. */
  keepOpen(): void
  /** Throws when another file could not be sent now: before work is done for it. */
  expectFile(): void
  /** Takes what becomes known of the request. */
  readonly trace: Trace
}
export type RestEnv = { Bindings: RestBindings }
