// Questions to users behind clients of the older protocols over streamable HTTP: the answer of a call becomes a stream,
// whose first message asks; the client posts the answer, and the stream ends with the result of the call.
import { type InputRequiredResult, isJSONRPCResponse } from "@modelcontextprotocol/server"
import { QUESTION, QUESTION_MS, questionIn, type Reply, replyIn } from "./ask.ts"
import type { KnownVisit } from "./visit.ts"

const KEEP_ALIVE_MS = 15_000
/** Questions that are open at a time, in all and of one account; beyond them calls are answered with plans. */
const OPEN_MAX = 1_000
const OPEN_OF_ONE = 50
const PREFIX = "ask_"

interface OpenQuestion {
  keyId: string
  account: number
  /** Called with the client's answer, or with undefined when none will come. */
  settle(result: unknown): void
}

export interface OpenQuestions {
  hasRoom(account: number): boolean
  /** Streams the question of a call, then what `goOn` makes of the reply; of none for a client that cannot ask after all. */
  ask(
    visit: KnownVisit,
    asked: InputRequiredResult,
    goOn: (reply: Reply | undefined) => Promise<string>,
  ): Response
  /** Takes a posted answer. False for a message that answers no open question of this key. */
  take(json: unknown, keyId: string): boolean
  /** Ends all questions as cancelled. */
  close(): void
}

/** In place of the answer of a client that says it asks users, and does not. */
const CANNOT_ASK = Symbol()

export function createOpenQuestions(): OpenQuestions {
  const open = new Map<string, OpenQuestion>()

  return {
    hasRoom(account) {
      if (open.size >= OPEN_MAX) return false
      return [...open.values()].filter((one) => one.account === account).length < OPEN_OF_ONE
    },
    ask(visit, asked, goOn) {
      const { requestState = "" } = asked
      const id = `${PREFIX}${crypto.randomUUID()}`
      const { promise: answered, resolve } = Promise.withResolvers<unknown>()
      const { keyId, account } = visit.caller
      open.set(id, { keyId, account: account.key, settle: resolve })
      const timer = setTimeout(resolve, QUESTION_MS)
      const reply = answered.then((result): Reply | undefined => {
        open.delete(id)
        clearTimeout(timer)
        if (result === CANNOT_ASK) return undefined
        return replyIn({ [QUESTION]: result }, requestState) ?? { plan: requestState, action: "cancel" }
      })
      const question = { jsonrpc: "2.0", id, method: "elicitation/create", params: questionIn(asked) }
      return streamOf(JSON.stringify(question), reply.then(goOn), () => resolve(undefined))
    },
    take(json, keyId) {
      if (!isJSONRPCResponse(json)) return false
      const question = open.get(String(json.id))
      if (question?.keyId !== keyId) return false
      question.settle("result" in json ? json.result : CANNOT_ASK)
      return true
    },
    close() {
      for (const { settle } of open.values()) settle(undefined)
    },
  }
}

/** An event stream of two messages, the second once it is there. `gone` is called when the client goes away. */
function streamOf(first: string, second: Promise<string>, gone: () => void): Response {
  let beat: Timer | undefined
  let isGone = false
  const event = (json: string) => Buffer.from(`event: message\ndata: ${json}\n\n`)
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(event(first))
      beat = setInterval(() => controller.enqueue(Buffer.from(": keepalive\n\n")), KEEP_ALIVE_MS)
      const end = (json?: string) => {
        clearInterval(beat)
        if (isGone) return
        if (json !== undefined) controller.enqueue(event(json))
        controller.close()
      }
      second.then(end, () => end())
    },
    cancel() {
      isGone = true
      clearInterval(beat)
      gone()
    },
  })
  return new Response(stream, {
    headers: {
      "Content-Type": "text/event-stream",
      "Cache-Control": "no-cache, no-transform",
      "X-Accel-Buffering": "no",
    },
  })
}
