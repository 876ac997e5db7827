// Two tools that reach all others, for clients that cannot choose sets: one finds tools by words, the other calls one.
import * as v from "valibot"
import { badRequest } from "../../core/errors.ts"
import { isObject, parse } from "../../core/parse.ts"
import { closest, excerpt } from "../../core/text.ts"
import type { ToolCard } from "./tools.ts"

export const FIND_TOOL = "find_tool"
export const USE_TOOL = "use_tool"
/** Tools of an answer at most. */
const FOUND_MAX = 5
const QUERY_MAX = 200
/** Words of a query that are looked at. */
const WORDS_MAX = 20

const FIND_CARD: ToolCard = {
  name: FIND_TOOL,
  title: "Find tool",
  description: "Find tools by words: their name, a sentence and their input",
  inputSchema: {
    type: "object",
    properties: { query: { type: "string", description: "What is to be done, such as undo an import" } },
    required: ["query"],
  },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
}

const USE_CARD: ToolCard = {
  name: USE_TOOL,
  title: "Use tool",
  description: "Call a tool that find_tool found",
  inputSchema: {
    type: "object",
    properties: {
      name: { type: "string", description: "Name of the tool" },
      arguments: { type: "object", description: "Its input" },
    },
    required: ["name"],
  },
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
}

/** Both tools; in a view that only reads, what can be called changes nothing either. */
export function finderCards(isReadOnly: boolean): ToolCard[] {
  return [FIND_CARD, isReadOnly ? { ...USE_CARD, annotations: FIND_CARD.annotations } : USE_CARD]
}

const FindInput = v.strictObject({
  query: v.pipe(
    v.string("must be text"),
    v.trim(),
    v.nonEmpty("is required"),
    v.maxLength(QUERY_MAX, `must have at most ${QUERY_MAX} characters`),
  ),
})
const UseInput = v.strictObject({
  name: v.string("must be text: the name of a tool"),
  arguments: v.optional(
    v.custom<Record<string, unknown>>(isObject, "must be an object: the input of the tool"),
    {},
  ),
})

/** A tool as `find_tool` answers it. */
interface FoundTool {
  name: string
  description: string
  inputSchema: ToolCard["inputSchema"]
}

/** The tools that fit a query best, by the words that they share with it; a rare word counts for more. */
export function findTools(
  cards: readonly ToolCard[],
  args: object,
): { tools: FoundTool[]; message?: string } {
  const { query } = parse(FindInput, args)
  const words = [...new Set(wordsOf(query).map((word) => VERBS[word] ?? word))].slice(0, WORDS_MAX)
  const rated = cards.map((card) => ({ card, has: weighedWords(card) }))
  const rareness = new Map(
    words.map((word) => {
      const holders = rated.filter(({ has }) => has.has(word)).length
      return [word, holders === 0 ? 0 : Math.log(1 + cards.length / holders)]
    }),
  )
  const found = rated
    .map(({ card, has }) => {
      const shares = words.map((word) => (has.get(word) ?? 0) * rareness.get(word)!)
      return { card, points: shares.reduce((sum, share) => sum + share, 0) }
    })
    .filter(({ points }) => points > 0)
    .sort((a, b) => b.points - a.points)
    .slice(0, FOUND_MAX)
  const tools = found.map(({ card: { name, description, inputSchema } }) => ({
    name,
    description,
    inputSchema,
  }))
  if (tools.length > 0) return { tools }
  return { tools, message: `No tool has these words. ${NOUNS}` }
}

/** The call that a call of `use_tool` is about. Throws `bad_request` for a tool that there is not. */
export function usedTool(known: readonly string[], args: object): { name: string; args: object } {
  const { name, arguments: own } = parse(UseInput, args)
  if (known.includes(name)) return { name, args: own }
  const near = closest(name, known)
  throw badRequest(
    `there is no tool "${excerpt(name)}". ${near ? `Did you mean ${near}?` : `${FIND_TOOL} finds them by words`}`,
  )
}

const NOUNS = "Try a noun such as lead, note, tag, attribute, duplicate, import, segment, webhook or key"

/** Words by which tools are named for other words of the same meaning. */
const VERBS: Readonly<Record<string, string>> = {
  ...{ remove: "delete", erase: "delete", add: "create", make: "create", new: "create", send: "create" },
  ...{ change: "update", edit: "update", set: "update", show: "get", read: "get", count: "stat" },
  ...{ revert: "undo", restore: "undo", dedupe: "duplicate", blocklist: "suppression", file: "import" },
}

/** The words of a tool with their weight: its name counts most, then its sentence, then its parameters. */
function weighedWords({ name, description, inputSchema }: ToolCard): ReadonlyMap<string, number> {
  const weighed = new Map<string, number>()
  const add = (text: string, weight: number) => {
    for (const word of wordsOf(text)) weighed.set(word, Math.max(weighed.get(word) ?? 0, weight))
  }
  add(name, 4)
  add(description, 2)
  for (const [parameter, { description: about = "" }] of Object.entries(inputSchema.properties))
    add(`${parameter} ${about}`, 1)
  return weighed
}

/** Words in lower case and without a plural's s. */
function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).map((word) =>
    word.length > 3 && word.endsWith("s") && !word.endsWith("ss") && !word.endsWith("us")
      ? word.slice(0, -1)
      : word,
  )
}
