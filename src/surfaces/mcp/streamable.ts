import {
  type AuthInfo,
  createMcpHandler,
  isJSONRPCResponse,
  isJsonContentType,
  isLegacyRequest,
  type JSONRPCMessage,
  type JSONRPCRequest,
  PerRequestHTTPServerTransport,
  ProtocolError,
  ProtocolErrorCode,
  type RequestId,
  SdkError,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Transport,
} from "@modelcontextprotocol/server"
import type { Caller } from "../../domain/operation.ts"
import { isObject } from "../../lead/parse.ts"
import { AppError } from "../../runtime/errors.ts"
import { eventStream } from "./event-stream.ts"
import { type ListenRequest, listen, listenRequest } from "./listen.ts"
import { answerPlain, type PlainCall, plainCall } from "./plain-call.ts"
import { buildServer } from "./server.ts"
import {
  abilitiesInSession,
  abilitiesOf,
  type KnownVisit,
  type Mcp,
  SESSION_HEADER,
  sessionFor,
} from "./visit.ts"

/** The streamable HTTP transport, without sessions, for every protocol version. */
export interface Streamable {
  /** Answers a posted message, `json`. Throws ProtocolError, and `unavailable` when it is closed. */
  post(request: Request, json: unknown, visit: KnownVisit): Promise<Response>
  /** Waits for the calls under way, takes no more, and ends the streams that are open. */
  close(): Promise<void>
}

/** Milliseconds that calls under way have when the service stops. */
const PATIENCE_MS = 10_000
/** Messages in one batch, which protocol 2025-03-26 has. */
const BATCH_MAX = 100
/** Bytes that may wait for a client that does not read what it listens to. */
const WAITING_MAX = 1024 * 1024

/** Errors that the SDK reports although it told the client already. */
const CLIENT_MISTAKE = /^(Rejected inbound|Unsupported) /

export function createStreamable(mcp: Mcp): Streamable {
  const modern = createMcpHandler(({ authInfo, era }) => buildServer(mcp, era, () => visitIn(authInfo)), {
    onerror(error) {
      if (!CLIENT_MISTAKE.test(error.message)) mcp.log.error("MCP request failed", {}, error)
    },
  })
  const calls = createOpenCalls()
  const listening = new Set<AbortController>()
  const underWay = new Set<Promise<Response>>()
  let isStopping = false

  async function answer(request: Request, json: unknown, visit: KnownVisit): Promise<Response> {
    const { headers } = request
    const listened = listenRequest(json, headers)
    if (listened) return openListen(mcp, visit, listened, listening)
    const call = plainCall(mcp, visit, json, headers)
    if (call)
      return call.mayWait ? answerWaiting(mcp, calls, request, visit, call) : answerPlain(mcp, visit, call)
    const isOlder = isJsonContentType(headers.get("content-type")) && isKnownVersion(headers)
    if (!isOlder || !(await isLegacyRequest(request, json)))
      return modern.fetch(request, { parsedBody: json, authInfo: carry(visit) })
    return answerOlder(mcp, calls, request, json as JSONRPCMessage | JSONRPCMessage[], visit)
  }

  return {
    async post(request, json, visit) {
      if (isStopping) throw new AppError("unavailable", "The service is stopping")
      if (calls.take(json, visit.caller.keyId)) return new Response(null, { status: 202 })
      const answered = answer(request, json, visit)
      underWay.add(answered)
      try {
        return await answered
      } finally {
        underWay.delete(answered)
      }
    },
    async close() {
      isStopping = true
      calls.close()
      for (const end of listening) end.abort()
      await Promise.race([Promise.allSettled(underWay), Bun.sleep(PATIENCE_MS)])
      await modern.close()
    },
  }
}

function isKnownVersion(headers: Headers): boolean {
  const version = headers.get("mcp-protocol-version")
  return version === null || SUPPORTED_PROTOCOL_VERSIONS.includes(version)
}

/** The SDK hands a request's AuthInfo through to its server: the visit travels in it. */
export function carry(visit: KnownVisit): AuthInfo {
  return { token: "", clientId: visit.caller.keyId, scopes: [], extra: { visit } }
}

export function visitIn(authInfo: AuthInfo | undefined): KnownVisit {
  return authInfo?.extra?.visit as KnownVisit
}

/** Answers a call that may wait for a job: it can be cancelled, and then gets no answer of the protocol. */
async function answerWaiting(
  mcp: Mcp,
  calls: OpenCalls,
  { signal }: Request,
  visit: KnownVisit,
  call: PlainCall,
): Promise<Response> {
  const stop = new AbortController()
  const close = () => stop.abort()
  signal.addEventListener("abort", close, { once: true })
  const leave = call.isModern ? undefined : calls.enter({ close }, call.id, visit.caller.keyId)
  try {
    const response = await answerPlain(mcp, visit, { ...call, cancelled: stop.signal })
    return stop.signal.aborted ? new Response(null, { status: 202 }) : response
  } finally {
    leave?.()
  }
}

/**
 * Answers a message, or a batch, of a protocol before 2026-07-28. The SDK's handler does so with streams alone; each message
 * has an exchange of its own here, as the newer ones have. Throws ProtocolError for a batch that is too long.
 */
async function answerOlder(
  mcp: Mcp,
  calls: OpenCalls,
  request: Request,
  json: JSONRPCMessage | JSONRPCMessage[],
  visit: KnownVisit,
): Promise<Response> {
  const messages = [json].flat()
  if (messages.length > BATCH_MAX)
    throw new ProtocolError(ProtocolErrorCode.InvalidRequest, `A batch has ${BATCH_MAX} messages at most`)
  const requests = messages.filter(isRequest)
  if (requests.length === 0) return new Response(null, { status: 202 })
  // A batch has no room for a question, nor for news of a call.
  const takesStream = !Array.isArray(json) && request.headers.get("accept")?.includes("text/event-stream")
  const abilities = abilitiesInSession(request.headers)
  const asksUser = abilities.asksUser && takesStream === true && calls.hasRoom(visit.caller.account.key)
  const visitor = Object.assign(visit, { abilities: { ...abilities, asksUser } })
  const responseMode = takesStream ? "auto" : "json"
  const exchanged = (message: JSONRPCRequest) =>
    exchange(mcp, calls, request.signal, message, visitor, responseMode)
  if (Array.isArray(json))
    return Response.json(await Promise.all(requests.map(async (one) => (await exchanged(one)).json())))
  const response = await exchanged(requests[0]!)
  const session = sessionOf(json)
  if (session !== undefined) response.headers.set(SESSION_HEADER, session)
  return response
}

async function exchange(
  mcp: Mcp,
  calls: OpenCalls,
  signal: AbortSignal,
  message: JSONRPCRequest,
  visit: KnownVisit,
  responseMode: "auto" | "json",
): Promise<Response> {
  const transport = new PerRequestHTTPServerTransport({ classification: { era: "legacy" }, responseMode })
  const leaveCalls = calls.enter(transport, message.id, visit.caller.keyId)
  const leaveQuestions = calls.relayQuestions(transport, visit.caller)
  const server = buildServer(mcp, "legacy", () => visit)
  await server.connect(transport)
  server.onclose = () => {
    leaveCalls()
    leaveQuestions()
  }
  signal.addEventListener("abort", () => void transport.close(), { once: true })
  try {
    const response = await transport.handleMessage(message)
    // An unknown method is no unknown address in these protocols.
    return response.status === 404 ? new Response(response.body, { headers: response.headers }) : response
  } catch (thrown) {
    // A request that was cancelled gets no answer of the protocol.
    if (thrown instanceof SdkError) return new Response(null, { status: 202 })
    throw thrown
  }
}

/** The session that a client of an older protocol gets when it connects, where it needs one. */
function sessionOf(json: unknown): string | undefined {
  if (!isObject(json) || json.method !== "initialize" || !isObject(json.params)) return undefined
  return sessionFor(abilitiesOf(json.params.capabilities))
}

/** The stream of a subscription, or the error that it cannot begin with. */
async function openListen(
  mcp: Mcp,
  visit: KnownVisit,
  request: ListenRequest,
  open: Set<AbortController>,
): Promise<Response> {
  const end = new AbortController()
  const messages = listen(mcp, visit, request, end.signal)
  const { value: first } = (await messages.next()) as IteratorYieldResult<{ error?: { code: number } }>
  // What a client lacks is a mistake in its request (SEP-2575).
  if (first.error) {
    const isMistake = first.error.code === ProtocolErrorCode.MissingRequiredClientCapability
    return Response.json(first, { status: isMistake ? 400 : 200 })
  }
  const stream = eventStream(() => end.abort(), WAITING_MAX)
  stream.tell(first)
  open.add(end)
  void tellAll().finally(() => {
    open.delete(end)
    stream.end()
  })
  return stream.response

  async function tellAll(): Promise<void> {
    try {
      for await (const message of messages) stream.tell(message)
    } catch (thrown) {
      mcp.log.error("A subscription failed", {}, thrown)
    }
  }
}

// Calls of the older protocols under way over streamable HTTP. There are no sessions: what a client posts beside its call, to
// cancel it or to answer a question to its user, finds the call here.

const CANCELLED = "notifications/cancelled"
/** Questions that are open at a time, in all and of one account; beyond them calls are answered with plans. */
const QUESTIONS_MAX = 1_000
const QUESTIONS_OF_ONE = 50

interface Question {
  caller: Caller
  settle(answer: object): void
}

type Closing = Readonly<{ close(): unknown }>

interface OpenCalls {
  /** Whether another question may be asked for an account. */
  hasRoom(account: number): boolean
  /** Takes a posted cancellation or answer. False for every other message. */
  take(json: unknown, keyId: string): boolean
  /** Enters the call with this id of a key, which `call.close` cancels. Returns what takes it out. */
  enter(call: Closing, id: RequestId, keyId: string): () => void
  /** Gives the questions of a call ids that no other call has. Returns what withdraws them. */
  relayQuestions(transport: Transport, caller: Caller): () => void
  /** Answers all questions as cancelled. */
  close(): void
}

function createOpenCalls(): OpenCalls {
  const calls = new Map<string, Set<Closing>>()
  const questions = new Map<string, Question>()

  return {
    hasRoom(account) {
      if (questions.size >= QUESTIONS_MAX) return false
      const ofAccount = [...questions.values()].filter(({ caller }) => caller.account.key === account)
      return ofAccount.length < QUESTIONS_OF_ONE
    },
    take(json, keyId) {
      if (!isObject(json)) return false
      if (json.method === undefined && isJSONRPCResponse(json)) {
        const question = questions.get(String(json.id))
        if (question?.caller.keyId === keyId) question.settle(json)
        return true
      }
      if (json.method !== CANCELLED || !isObject(json.params)) return false
      const named = calls.get(nameOf(keyId, json.params.requestId))
      // Two clients with one key may use one id: then nobody knows which call is meant.
      if (named?.size === 1) for (const call of named) void call.close()
      return true
    },
    enter(call, id, keyId) {
      const name = nameOf(keyId, id)
      const named = calls.getOrInsertComputed(name, () => new Set())
      named.add(call)
      return () => {
        named.delete(call)
        if (named.size === 0) calls.delete(name)
      }
    },
    relayQuestions(transport, caller) {
      const asked: string[] = []
      const send = transport.send.bind(transport)
      transport.send = async (message, options) => {
        if (!isRequest(message)) return send(message, options)
        // Each call has a server of its own, whose ids begin anew.
        const questionId = `ask_${crypto.randomUUID()}`
        asked.push(questionId)
        const settle = (answer: object) => {
          questions.delete(questionId)
          transport.onmessage?.({ ...answer, id: message.id } as JSONRPCMessage)
        }
        questions.set(questionId, { caller, settle })
        return send({ ...message, id: questionId }, options)
      }
      return () => {
        for (const questionId of asked) questions.delete(questionId)
      }
    },
    close() {
      for (const { settle } of questions.values()) settle({ jsonrpc: "2.0", result: { action: "cancel" } })
    },
  }
}

/** Cheaper than the SDK's own test, as the message is known to be one of the protocol. */
function isRequest(message: JSONRPCMessage): message is JSONRPCRequest {
  return "method" in message && "id" in message
}

const nameOf = (keyId: string, id: unknown) => `${keyId} ${JSON.stringify(id)}`
