// Calls of the older protocols under way over streamable HTTP. There are no sessions: what a client posts beside its call, to
// cancel it or to answer a question to its user, finds the call here.
import {
  isJSONRPCResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type RequestId,
  type Transport,
} from "@modelcontextprotocol/server"
import type { Caller } from "../../domain/operation.ts"
import { isObject } from "../../lead/parse.ts"

const CANCELLED = "notifications/cancelled"
/** Questions that are open at a time, in all and of one account; beyond them calls are answered with plans. */
const QUESTIONS_MAX = 1_000
const QUESTIONS_OF_ONE = 50

interface Question {
  caller: Caller
  settle(answer: object): void
}

export interface OpenCalls {
  /** Whether another question may be asked for an account. */
  hasRoom(account: number): boolean
  /** Takes a posted cancellation or answer. False for every other message. */
  take(json: unknown, keyId: string): boolean
  /** Enters the call with this id, which is answered over `transport`. Returns what takes it out. */
  enter(transport: Transport, id: RequestId, caller: Caller): () => void
  /** Answers all questions as cancelled. */
  close(): void
}

export function createOpenCalls(): OpenCalls {
  const calls = new Map<string, Set<Transport>>()
  const questions = new Map<string, Question>()

  return {
    hasRoom(account) {
      if (questions.size >= QUESTIONS_MAX) return false
      const own = [...questions.values()].filter(({ caller }) => caller.account.key === account)
      return own.length < QUESTIONS_OF_ONE
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
      if (named?.size === 1) for (const transport of named) void transport.close()
      return true
    },
    enter(transport, id, caller) {
      const name = nameOf(caller.keyId, id)
      const named = calls.getOrInsertComputed(name, () => new Set())
      named.add(transport)
      const asked: string[] = []
      const send = transport.send.bind(transport)
      transport.send = async (message, options) => {
        if (!isRequest(message)) return send(message, options)
        // Each call has a server of its own, whose ids begin anew.
        const own = `ask_${crypto.randomUUID()}`
        asked.push(own)
        const settle = (answer: object) => {
          questions.delete(own)
          transport.onmessage?.({ ...answer, id: message.id } as JSONRPCMessage)
        }
        questions.set(own, { caller, settle })
        return send({ ...message, id: own }, options)
      }
      return () => {
        for (const own of asked) questions.delete(own)
        named.delete(transport)
        if (named.size === 0) calls.delete(name)
      }
    },
    close() {
      for (const { settle } of questions.values()) settle({ jsonrpc: "2.0", result: { action: "cancel" } })
    },
  }
}

/** The SDK's own test reads the whole message, which is one of the protocol here. */
export function isRequest(message: JSONRPCMessage): message is JSONRPCRequest {
  return "method" in message && "id" in message
}

const nameOf = (keyId: string, id: unknown) => `${keyId} ${JSON.stringify(id)}`
