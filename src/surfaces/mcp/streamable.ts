import {
  type AuthInfo,
  createMcpHandler,
  isInputRequiredResult,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  isJsonContentType,
  type JSONRPCMessage,
  type McpHttpHandler,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Transport,
} from "@modelcontextprotocol/server"
import { isObject } from "../../lead/parse.ts"
import { AppError } from "../../runtime/errors.ts"
import { abilitiesInSession, abilitiesOf, SESSION_HEADER, sessionFor } from "./abilities.ts"
import { protocolErrorResponse } from "./http.ts"
import { PROGRESS, type ProgressListener } from "./jobs.ts"
import { type MessageStream, messageStream } from "./message-stream.ts"
import { createOpenListens, type OpenListens } from "./open-listens.ts"
import { createOpenQuestions, type OpenQuestions } from "./open-questions.ts"
import { answerCall, listenRequest, type PlainCall, plainCall } from "./plain-call.ts"
import { buildServer } from "./server.ts"
import { createSplices } from "./splices.ts"
import type { KnownVisit, Mcp } from "./visit.ts"

/** The streamable HTTP transport, without sessions, for every protocol version. */
export interface Streamable {
  /** Answers a posted message, `json`. Throws ProtocolError, and `unavailable` when it is closed. */
  post(request: Request, json: unknown, visit: KnownVisit): Promise<Response>
  /** Waits for the calls under way, takes no more, and ends the streams that are open. */
  close(): Promise<void>
}

/** Milliseconds that calls under way have when the service stops. */
const PATIENCE_MS = 10_000

/** Errors that the SDK reports although it told the client already. */
const CLIENT_MISTAKE = /^(Rejected inbound|Unsupported) /

export function createStreamable(mcp: Mcp): Streamable {
  const modern = createMcpHandler(({ authInfo, era }) => buildServer(mcp, era, () => visitIn(authInfo)), {
    onerror(error) {
      if (!CLIENT_MISTAKE.test(error.message)) mcp.log.error("MCP request failed", {}, error)
    },
  })
  const questions = createOpenQuestions()
  const listens = createOpenListens(mcp)
  const calls = createOpenCalls()
  const underWay = new Set<Promise<Response>>()
  let isStopping = false

  return {
    async post(request, json, visit) {
      if (isStopping) throw new AppError("unavailable", "The service is stopping")
      const { keyId } = visit.caller
      if (questions.take(json, keyId) || calls.take(json, keyId)) return new Response(null, { status: 202 })
      const answered = calls.run(request, json, keyId, (cancelled) =>
        answer({ mcp, modern, questions, listens }, request, json, Object.assign(visit, { cancelled })),
      )
      underWay.add(answered)
      try {
        return await answered
      } finally {
        underWay.delete(answered)
      }
    },
    async close() {
      isStopping = true
      questions.close()
      listens.close()
      await Promise.race([Promise.allSettled(underWay), Bun.sleep(PATIENCE_MS)])
      await modern.close()
    },
  }
}

interface Parts {
  mcp: Mcp
  modern: McpHttpHandler
  questions: OpenQuestions
  listens: OpenListens
}

async function answer(
  { mcp, modern, questions, listens }: Parts,
  request: Request,
  json: unknown,
  visit: KnownVisit,
): Promise<Response> {
  const listening = listenRequest(json, request.headers)
  if (listening) return listens.open(visit, listening)
  const splices = createSplices()
  const visitor = Object.assign(visit, { splices })
  const call = plainCall(json, request.headers)
  if (call) return answerPlain(mcp, questions, visitor, call)
  const isModern = claimsModern(json)
  if (!isModern && !isKnownVersion(request.headers.get("mcp-protocol-version"))) {
    // Only refusals come of this.
    return modern.fetch(request, { parsedBody: json, authInfo: carry(visit) })
  }
  if (isModern)
    return splices.fill(await modern.fetch(request, { parsedBody: json, authInfo: carry(visitor) }))
  // An exchange of one answer has no room for a question.
  visitor.abilities = { ...abilitiesInSession(request.headers), asksUser: false }
  const server = buildServer(mcp, "legacy", () => visitor)
  const response = await splices.fill(await answerLegacy(request, json, server))
  const session = sessionOf(json)
  if (session !== undefined) response.headers.set(SESSION_HEADER, session)
  return response
}

/**
 * Answers a call; where it needs the user's word, a client of an older protocol is asked over a stream. One that asked how far
 * longer work is gets a stream as well, once there is something to tell.
 */
async function answerPlain(
  mcp: Mcp,
  questions: OpenQuestions,
  visit: KnownVisit,
  call: PlainCall,
): Promise<Response> {
  const { isModern, abilities } = call
  const asksUser = abilities.asksUser && (isModern || questions.hasRoom(visit.caller.account.key))
  const messageOf = async (given: PlainCall, progressed: ProgressListener) => {
    const answered = await answerCall(mcp, visit, { ...given, progressed })
    return { answered, text: () => visit.splices!.filled(JSON.stringify(answered)) }
  }
  const first = { ...call, abilities: { ...abilities, asksUser } }
  let stream: MessageStream | undefined
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const tellFirst = (json: string) => {
    // Whoever goes away cancels the call: open-calls.ts.
    stream ??= messageStream(() => undefined)
    stream.tell(json)
    begin()
  }
  const made = messageOf(first, progressOf(call, tellFirst))
  await Promise.race([made, begun])
  if (stream) {
    const { response, end } = stream
    made.then(
      ({ text }) => end(text()),
      () => end(),
    )
    return response
  }
  const { answered, text } = await made
  if (!isModern && isInputRequiredResult(answered.result))
    return questions.ask(visit, answered.result, async (reply, tell) => {
      const next = reply ? { ...first, reply } : { ...call, abilities: { ...abilities, asksUser: false } }
      return (await messageOf(next, progressOf(call, tell))).text()
    })
  return new Response(text(), { headers: { "Content-Type": "application/json" } })
}

/** Tells a client how far its call is, where it gave a token for that. */
function progressOf({ progressToken }: PlainCall, tell: (json: string) => void): ProgressListener {
  if (progressToken === undefined) return undefined
  return (progress) =>
    tell(JSON.stringify({ jsonrpc: "2.0", method: PROGRESS, params: { progressToken, ...progress } }))
}

/** The session that a client of an older protocol gets when it connects, where it needs one. */
function sessionOf(json: unknown): string | undefined {
  if (!isObject(json) || json.method !== "initialize" || !isObject(json.params)) return undefined
  return sessionFor(abilitiesOf(json.params.capabilities))
}

/** True when a message says of itself that it is of protocol 2026-07-28 or later. */
function claimsModern(json: unknown): boolean {
  const messages = Array.isArray(json) ? json : [json]
  return messages.some((message) => Object.hasOwn(Object(message?.params?._meta), PROTOCOL_VERSION_META_KEY))
}

function isKnownVersion(version: string | null): boolean {
  return version === null || SUPPORTED_PROTOCOL_VERSIONS.includes(version)
}

/** The SDK hands a request's AuthInfo through to its server: the visit travels in it. */
export function carry(visit: KnownVisit): AuthInfo {
  return { token: "", clientId: visit.caller.keyId, scopes: [], extra: { visit } }
}

export function visitIn(authInfo: AuthInfo | undefined): KnownVisit {
  return authInfo?.extra?.visit as KnownVisit
}

// Calls of tools that are under way over HTTP, so that a client of a protocol without sessions can cancel one by its id.

const CANCELLED = "notifications/cancelled"

interface OpenCalls {
  /** Cancels the call that the message names. False for every other message. */
  take(json: unknown, keyId: string): boolean
  /** Runs the call of a message, with a signal that is aborted when it is cancelled or its client goes away. */
  run(
    request: Request,
    json: unknown,
    keyId: string,
    answer: (cancelled: AbortSignal) => Promise<Response>,
  ): Promise<Response>
}

function createOpenCalls(): OpenCalls {
  /** By key and id. Two clients with one key may use one id: then nobody knows which call is meant. */
  const open = new Map<string, Set<AbortController>>()
  return {
    take(json, keyId) {
      if (!isObject(json) || json.method !== CANCELLED || !isObject(json.params)) return false
      const named = open.get(nameOf(keyId, json.params.requestId))
      if (named?.size === 1) for (const one of named) one.abort()
      return true
    },
    async run(request, json, keyId, answer) {
      if (!isObject(json) || json.method !== "tools/call") return answer(request.signal)
      const name = nameOf(keyId, json.id)
      const own = new AbortController()
      const named = open.getOrInsertComputed(name, () => new Set())
      named.add(own)
      const forget = () => {
        named.delete(own)
        if (named.size === 0) open.delete(name)
      }
      let answered: Response | undefined
      try {
        answered = await answer(AbortSignal.any([request.signal, own.signal]))
        // A request that was cancelled gets no answer of the protocol.
        if (own.signal.aborted) return new Response(null, { status: 202 })
        return isStream(answered) ? streamOf(answered, own, forget) : answered
      } finally {
        if (!answered || !isStream(answered)) forget()
      }
    },
  }
}

const isStream = ({ headers }: Response) => headers.get("Content-Type") === "text/event-stream"

/** An answer that goes on as a stream: it ends when its call is cancelled, and cancels the call when its client goes away. */
function streamOf(answer: Response, call: AbortController, ended: () => void): Response {
  const events = answer.body!.getReader()
  let isGone = false
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      call.signal.addEventListener("abort", () => {
        ended()
        void events.cancel()
        if (!isGone) controller.close()
      })
    },
    async pull(controller) {
      const { done, value } = await events.read()
      if (call.signal.aborted) return
      if (!done) return controller.enqueue(value)
      ended()
      controller.close()
    },
    cancel() {
      isGone = true
      call.abort()
    },
  })
  return new Response(body, answer)
}

const nameOf = (keyId: string, id: unknown) => `${keyId} ${JSON.stringify(id)}`

/** Messages in one batch, which protocol 2025-03-26 has. */
const BATCH_MAX = 100

/**
 * Answers a posted message, or a batch, of a protocol version before 2026-07-28, without a session. The SDK's transport
 * does the same and keeps sessions and streams that we have no use for; this takes a quarter of its time. Throws
 * ProtocolError for what is no message.
 */
async function answerLegacy(request: Request, json: unknown, server: Server): Promise<Response> {
  if (!isJsonContentType(request.headers.get("content-type"))) {
    const error = new ProtocolError(
      ProtocolErrorCode.InvalidRequest,
      "The Content-Type must be application/json",
    )
    return protocolErrorResponse(error, 415)
  }
  const messages = Array.isArray(json) ? json : [json]
  if (messages.length === 0 || messages.length > BATCH_MAX || !messages.every(isMessage)) {
    const message = `The body must be a JSON-RPC message, or a batch of at most ${BATCH_MAX}`
    throw new ProtocolError(ProtocolErrorCode.InvalidRequest, message)
  }
  const answers = await exchange(server, messages)
  if (answers.length === 0) return new Response(null, { status: 202 })
  return Response.json(Array.isArray(json) ? answers : answers[0])
}

function isMessage(value: unknown): value is JSONRPCMessage {
  return isJSONRPCRequest(value) || isJSONRPCNotification(value) || isJSONRPCResponse(value)
}

/** Hands messages to a server and waits for the answers of all requests among them. */
async function exchange(server: Server, messages: readonly JSONRPCMessage[]): Promise<JSONRPCMessage[]> {
  const expected = messages.filter(isJSONRPCRequest).length
  const answers: JSONRPCMessage[] = []
  const { promise: answered, resolve } = Promise.withResolvers<void>()
  const transport: Transport = {
    start: async () => {},
    send: async (message) => {
      if (isJSONRPCResponse(message) && answers.push(message) === expected) resolve()
    },
    close: async () => transport.onclose?.(),
  }
  await server.connect(transport)
  // Between requests nothing is kept, so there is nothing that a client could cancel.
  for (const message of messages) if (isJSONRPCRequest(message)) transport.onmessage?.(message)
  if (expected > 0) await answered
  await server.close()
  return answers
}
