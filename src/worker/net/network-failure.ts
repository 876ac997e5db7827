/** A failure of the network or of the other side, as opposed to a defect of ours. The message is for people. */
interface NetworkFailure extends Error {
  name: "NetworkFailure"
  /** Nothing was answered yet: worth another try at once. */
  again: boolean
}

export function networkFailure(message: string, again = false): NetworkFailure {
  return Object.assign(new Error(message), { name: "NetworkFailure" as const, again })
}

export function isNetworkFailure(thrown: unknown): thrown is NetworkFailure {
  return thrown instanceof Error && thrown.name === "NetworkFailure"
}

// Codes of Bun 1.4.5's fetch, found by experiment. A connection closed without an answer, and an answer that does
// not begin like HTTP, are both ECONNRESET.
const UNCONNECTED: Record<string, string> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection reset",
  EPIPE: "connection reset",
  EHOSTUNREACH: "host unreachable",
  ENETUNREACH: "network unreachable",
}
const BROKEN: Record<string, string> = {
  ETIMEDOUT: "timed out while connecting",
  EPROTO: "TLS handshake failed",
  CERT_HAS_EXPIRED: "TLS certificate expired",
  CERT_NOT_YET_VALID: "TLS certificate is not valid yet",
  ERR_TLS_CERT_ALTNAME_INVALID: "TLS certificate is for another host",
  ResponseHeadersTooLarge: "answer has too many headers",
  Malformed_HTTP_Response: "answer is not valid HTTP",
  InvalidHTTPResponse: "answer is not valid HTTP",
  InvalidContentLength: "answer is not valid HTTP",
  UnrequestedUpgrade: "answered 101 (no upgrade was asked for)",
}
const UNTRUSTED = /CERT|ISSUER|LEAF_SIGNATURE|CRL|^INVALID_(CA|PURPOSE)$/

/** Converts an error of Bun's fetch to a NetworkFailure; one without an error code is a defect and stays as it is. */
export function fromFetch(thrown: unknown): unknown {
  if (!(thrown instanceof Error) || !("code" in thrown) || typeof thrown.code !== "string") return thrown
  const { code } = thrown
  const unconnected = UNCONNECTED[code]
  if (unconnected) return networkFailure(unconnected, true)
  const untrusted = UNTRUSTED.test(code) ? `TLS certificate not trusted (${code})` : undefined
  return networkFailure(BROKEN[code] ?? untrusted ?? `request failed (${code})`)
}

/** The error of what was aborted from outside: it says nothing about the receiver. */
export const STOPPED = "stopped before the answer came"

interface Deadline {
  /** Aborted with a NetworkFailure when the time is up or the outer signal is aborted. */
  signal: AbortSignal
  /** Stops the clock and lets go of the outer signal. */
  end(): void
}

/** A time limit on all that takes its signal, in milliseconds from now. */
export function startDeadline(milliseconds: number, outer?: AbortSignal): Deadline {
  const controller = new AbortController()
  const stop = () => controller.abort(networkFailure(STOPPED))
  const timer = setTimeout(() => {
    controller.abort(networkFailure(`timed out after ${milliseconds / 1000} s`))
  }, milliseconds)
  if (outer?.aborted) stop()
  else outer?.addEventListener("abort", stop, { once: true })
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer)
      outer?.removeEventListener("abort", stop)
    },
  }
}

/** The promise, or the signal's reason if that comes first: for work that knows no signal. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener("abort", abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort))
  })
}
