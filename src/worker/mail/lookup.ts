// Asks the domain name system whether a domain takes mail (RFC 5321, 5.1), and remembers the answers.
import { Resolver } from "node:dns/promises"
import type { LookUpMail, MailAnswer } from "../../domain/leads/email-status.ts"
import type { Clock } from "../../runtime/clock.ts"

/** How long an answer is remembered, and how many are. */
const KEPT_MS = 24 * 60 * 60 * 1_000
const KEPT_MAX = 50_000
/** Questions under way, and milliseconds that one may take. */
const AT_ONCE = 8
const WITHIN_MS = 3_000
/** Domains that lead nowhere by definition (RFC 2606, RFC 6761): nothing is asked, and nothing known of them. */
const RESERVED = /(?:^|\.)(?:example|test|invalid|localhost|local|example\.(?:com|net|org))$/
/** A domain without such a record takes no mail by it; anything else is the network's fault. */
const NONE: ReadonlySet<string> = new Set(["ENOTFOUND", "ENODATA", "DNS_ENOTFOUND", "DNS_ENODATA"])

/** The questions that are asked of a resolver. */
export interface MailResolver {
  resolveMx(domain: string): Promise<readonly { exchange: string }[]>
  resolve4(domain: string): Promise<readonly string[]>
  resolve6(domain: string): Promise<readonly string[]>
}

export interface MailLookup {
  lookUp: LookUpMail
  /** Every domain is silent from now on. */
  stop(): void
}

/** Looks domains up, by the system's name servers unless told. */
export function createMailLookup(
  clock: Clock,
  resolver: MailResolver = new Resolver({ timeout: WITHIN_MS, tries: 2 }),
): MailLookup {
  const answers = new Map<string, { answer: MailAnswer; until: number }>()
  const asked = new Map<string, PromiseWithResolvers<MailAnswer>>()
  const waiting: (() => void)[] = []
  let isStopped = false
  let busy = 0

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (busy >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
    busy++
    try {
      return await work()
    } finally {
      busy--
      waiting.shift()?.()
    }
  }

  async function ask(domain: string): Promise<MailAnswer> {
    if (isStopped) return "silent"
    const mx = await recordsOf(resolver.resolveMx(domain))
    if (mx === undefined) return "silent"
    // A single record without a name says that there is no mail (RFC 7505).
    if (mx.length > 0)
      return mx.some(({ exchange }) => exchange !== "" && exchange !== ".") ? "takes" : "none"
    const both = await Promise.all([
      recordsOf(resolver.resolve4(domain)),
      recordsOf(resolver.resolve6(domain)),
    ])
    if (both.some((records) => records !== undefined && records.length > 0)) return "takes"
    return both.includes(undefined) ? "silent" : "none"
  }

  async function lookUp(domain: string): Promise<MailAnswer> {
    if (RESERVED.test(domain)) return "reserved"
    const cached = answers.get(domain)
    if (cached && cached.until > clock.monotonic()) return cached.answer
    if (isStopped) return "silent"
    let question = asked.get(domain)
    if (!question) {
      question = Promise.withResolvers<MailAnswer>()
      asked.set(domain, question)
      inTurn(() => ask(domain))
        .then(question.resolve, question.reject)
        .finally(() => asked.delete(domain))
    }
    const answer = await question.promise
    if (answer === "silent") return answer
    if (answers.size >= KEPT_MAX) answers.clear()
    answers.set(domain, { answer, until: clock.monotonic() + KEPT_MS })
    return answer
  }

  return {
    lookUp,
    stop() {
      isStopped = true
      for (const { resolve } of asked.values()) resolve("silent")
    },
  }
}

/** The records; none for a domain that has none, undefined where the network failed. */
async function recordsOf<T>(question: Promise<readonly T[]>): Promise<readonly T[] | undefined> {
  try {
    return await question
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : ""
    return NONE.has(code) ? [] : undefined
  }
}
