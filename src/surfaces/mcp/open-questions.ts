// Questions to users behind clients of the older protocols over streamable HTTP: the answer of a call becomes a stream,
// whose first message asks; the client posts the answer, and the stream ends with the result of the call.
import { type InputRequiredResult, isJSONRPCResponse } from "@modelcontextprotocol/server"
import { QUESTION, QUESTION_MS, questionIn, type Reply, replyIn } from "./ask.ts"
import { messageStream } from "./message-stream.ts"
import type { KnownVisit } from "./visit.ts"

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
  /**
   * Streams the question of a call, then what `goOn` tells and makes of the reply; of none for a client that cannot ask after
   * all.
   */
  ask(
    visit: KnownVisit,
    asked: InputRequiredResult,
    goOn: (reply: Reply | undefined, tell: (json: string) => void) => Promise<string>,
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
      const { response, tell, end } = messageStream(() => resolve(undefined))
      tell(JSON.stringify(question))
      reply.then((said) => goOn(said, tell)).then(end, () => end())
      return response
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
