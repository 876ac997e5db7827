// How worker processes pass requests on to the service: over a socket of this machine, as they came.
import { isSigned } from "../../access/sealed.ts"
import { AppError } from "../../runtime/errors.ts"

/** Where requests are passed on to. */
export interface PassingOn {
  /** A socket in Linux's abstract namespace, which goes with its process. */
  socket: string
  /** Shows that a request was passed on by a worker process: any program of this machine can connect to the socket. */
  secret: string
}

/** Tells the service what its connection does not: the secret, the client's address, and the headers that fetch added. */
const PASSED_ON = "x-leaddb-passed-on"
/** Headers that fetch adds where a client sent none. */
const ADDED = ["accept", "accept-encoding", "connection", "content-length", "host", "user-agent"]
/** They are of the connection; fetch sends its own. */
const OF_CONNECTION = ["connection", "expect", "keep-alive", "transfer-encoding"]
/** Bodies up to this size are read first, which costs half of what a stream does. */
const SMALL_BODY = 64 * 1024

/** A socket and a secret of this run. */
export function newPassingOn(): PassingOn {
  return { socket: `\0leaddb-${crypto.randomUUID()}`, secret: crypto.randomUUID() }
}

/**
 * Sends a request on and returns its answer. `keepOpen` is called as soon as it is the service that watches whether the
 * client sends.
 */
export async function passOn(
  { socket, secret }: PassingOn,
  request: Request,
  address: string,
  keepOpen: () => void,
): Promise<Response> {
  const { method, url } = request
  const headers = new Headers(request.headers)
  const added = ADDED.filter((name) => !headers.has(name))
  for (const name of OF_CONNECTION) headers.delete(name)
  headers.set(PASSED_ON, `${secret} ${added.join(",")} ${address}`)
  const hasBody = method !== "GET" && method !== "HEAD" && request.body !== null
  const isSmall = Number(headers.get("content-length") ?? Number.NaN) <= SMALL_BODY
  const body = !hasBody ? null : isSmall ? await request.arrayBuffer() : request.body
  if (!hasBody) headers.delete("content-length")
  keepOpen()
  try {
    const answer = await fetch(URL.canParse(url) ? url : `http://localhost${url}`, {
      ...{ method, headers, body, signal: request.signal },
      ...{ unix: socket, redirect: "manual", decompress: false, timeout: false },
    } as RequestInit)
    return await asSent(answer, method)
  } catch {
    // The client has gone, or the service has cut the connection: of one that sends too slowly, or at its own end.
    return Response.json(UNANSWERED.toRest(), {
      status: UNANSWERED.status,
      headers: { Connection: "close", "Retry-After": "1" },
    })
  }
}

const UNANSWERED = new AppError("unavailable", "The request was not answered; try again in a moment")

/** An answer of known length leaves with it; any other is a stream. */
async function asSent(answer: Response, method: string): Promise<Response> {
  const { status, headers } = answer
  const isWhole = headers.has("content-length")
  const body = method === "HEAD" || !isWhole ? answer.body : await answer.arrayBuffer()
  const sent = new Headers(headers)
  for (const name of ["date", "transfer-encoding", "keep-alive"]) sent.delete(name)
  return new Response(method === "HEAD" || status === 204 || status === 304 ? null : body, {
    status,
    headers: sent,
  })
}

/**
 * Gives a request that was passed on the headers with which it came, and returns the client's address. Undefined for one
 * that a worker process has not sent.
 */
export function received({ headers }: Request, { secret }: PassingOn): { address: string } | undefined {
  const [shown = "", added = "", address = ""] = headers.get(PASSED_ON)?.split(" ") ?? []
  if (!isSigned(shown, secret)) return undefined
  headers.delete(PASSED_ON)
  for (const name of added.split(",")) if (name !== "") headers.delete(name)
  return { address }
}
