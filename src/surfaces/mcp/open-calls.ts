// Calls of tools that are under way over HTTP, so that a client of a protocol without sessions can cancel one by its id.
import { isObject } from "../../lead/parse.ts"

const CANCELLED = "notifications/cancelled"

export interface OpenCalls {
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

export function createOpenCalls(): OpenCalls {
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
