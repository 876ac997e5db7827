// Answers of tools fit into an agent's context: what is larger is cut, and says so.
import { estimateTokens } from "../../text/tokens.ts"

/**
 * Tokens of an answer's data at most, by estimate: some clients give their model the text and the structured content, which
 * together hold 20,000 with the mark and the envelope.
 */
const ANSWER_TOKENS = 9_750

/** Whether a text is a whole answer: no token is shorter than a character, few are longer than ten. */
export function isFitting(text: string): boolean {
  return text.length <= ANSWER_TOKENS || estimateTokens(text) <= ANSWER_TOKENS
}

/** Data of an answer, cut to fit. */
interface Fitted {
  data: unknown
  /** Of a list of which the beginning is here: how many come before the rest. */
  shown?: number
  message?: string
}

/** Characters of a text, the longest that leave enough room first. */
const TEXTS = [8_000, 4_000, 2_000, 1_000, 500, 200, 80]

/**
 * Data that is too large made to fit: a list loses its end, anything else the ends of its long texts and then of its
 * longest list. Pages with a cursor lose texts alone, as their cursor is behind their last item.
 */
export function fitted(data: unknown): Fitted {
  if (tokensOf(data) <= ANSWER_TOKENS) return { data }
  if (Array.isArray(data)) {
    const items = fittingItems(data, ANSWER_TOKENS)
    if (items.length > 0)
      return { data: items, shown: items.length, message: cutAt(items.length, data.length) }
    return {
      ...fitted(shortened([data[0]])),
      ...(data.length > 1 && { shown: 1, message: cutAt(1, data.length) }),
    }
  }
  const short = shortened(data)
  if (tokensOf(short) <= ANSWER_TOKENS)
    return {
      data: short,
      message: "Long texts are cut at their …, since an answer holds at most 10,000 tokens",
    }
  return withoutEnd(short as Record<string, unknown>)
}

function tokensOf(data: unknown): number {
  return estimateTokens(JSON.stringify(data))
}

const cutAt = (shown: number, all: number) =>
  `These are ${shown} of ${all}: an answer holds at most 10,000 tokens. Ask for fewer, by limit, filter or fields`

function fittingItems(items: readonly unknown[], most: number): unknown[] {
  let tokens = 0
  const end = items.findIndex((item) => {
    tokens += tokensOf(item) + 1
    return tokens > most
  })
  return items.slice(0, end < 0 ? items.length : end)
}

/** With texts as long as fit. */
function shortened(data: unknown): unknown {
  let short = data
  for (const most of TEXTS) {
    short = JSON.parse(JSON.stringify(data), (_, value) =>
      typeof value === "string" && value.length > most
        ? `${value.slice(0, most).toWellFormed()}… (${value.length} characters)`
        : value,
    )
    if (tokensOf(short) <= ANSWER_TOKENS) return short
  }
  return short
}

/** Without the end of its largest list or table. */
function withoutEnd(data: Record<string, unknown>): Fitted {
  const sizes = Object.entries(data).map(([name, value]) => [name, tokensOf(value ?? null)] as const)
  const [name, size] = sizes.reduce((most, one) => (one[1] > most[1] ? one : most))
  const value = data[name]
  const room = Math.max(0, ANSWER_TOKENS - (tokensOf(data) - size))
  if (Array.isArray(value)) {
    const items = fittingItems(value, room)
    return { data: { ...data, [name]: items }, message: `${name}: ${cutAt(items.length, value.length)}` }
  }
  const entries = Object.entries((value ?? {}) as object)
  const some = fittingItems(entries, room) as [string, unknown][]
  return {
    data: { ...data, [name]: Object.fromEntries(some) },
    message: `${name}: ${cutAt(some.length, entries.length)}`,
  }
}
