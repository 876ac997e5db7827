// Two tools that reach all others, for clients that cannot choose sets: one finds tools by words, the other calls one.
import * as v from "valibot"
import { isObject, parse } from "../../lead/parse.ts"
import { badRequest } from "../../runtime/errors.ts"
import { parseExact } from "../../text/json-text.ts"
import { closest, excerpt } from "../../text/text.ts"
import { estimateTokens } from "../../text/tokens.ts"
import type { ToolSchema } from "./schema.ts"
import { FIND_TOOL, type ToolCard, USE_TOOL } from "./tools.ts"

/** Tools of an answer at most. */
const FOUND_MAX = 5
const QUERY_MAX = 200
/** Parameters that a signature names at most. */
const PARAMETERS_MAX = 24
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
  annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
}

const USE_CARD: ToolCard = {
  name: USE_TOOL,
  title: "Use tool",
  description: "Call a tool that find_tool found",
  inputSchema: {
    type: "object",
    properties: {
      name: { type: "string", description: "Name of the tool" },
      // Said, as clients that make schemas strict would leave nothing to put in.
      arguments: { type: "object", description: "Its input", additionalProperties: true },
    },
    required: ["name"],
  },
  annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
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
    v.pipe(
      v.unknown(),
      v.transform((said) => (typeof said === "string" ? jsonIn(said) : said)),
      v.custom<Record<string, unknown>>(isObject, "must be an object: the input of the tool"),
    ),
    {},
  ),
})

/** Agents write an object within an object as its JSON, too. */
function jsonIn(text: string): unknown {
  try {
    return parseExact(text)
  } catch {
    return text
  }
}

/** A tool as `find_tool` answers it. */
interface FoundTool {
  name: string
  description: string
  /** Only with the first tool, where it fits. */
  inputSchema?: ToolCard["inputSchema"]
  /** Its parameters in few words, where the schema does not fit. */
  input?: string
}

/** Tokens of an answer, by estimate. */
const TOKENS = 255

/**
 * The tools that fit a query best, by the words that they share with it; a rare word counts for more. The first one comes
 * with its input, as far as it fits; the name of a tool finds it alone, with the whole of its input.
 */
export function findTools(
  cards: readonly ToolCard[],
  args: object,
): { tools: FoundTool[]; message?: string } {
  const { query } = parse(FindInput, args)
  const named = cards.find(({ name }) => name === query)
  if (named) return { tools: [foundTool(named, { inputSchema: named.inputSchema })] }
  const [first, ...others] = ranked(cards, query)
  if (!first) return { tools: [], message: `No tool has these words. ${NOUNS}` }
  const forms = [{ inputSchema: first.inputSchema }, { inputSchema: bare(first.inputSchema) }]
  const whole = forms.map((form) => foundTool(first, form)).find((form) => isShort([form]))
  const tools = [whole ?? foundTool(first, { input: signatureOf(first.inputSchema) })]
  for (const card of others) {
    const tool = foundTool(card)
    if (!isShort([...tools, tool])) break
    tools.push(tool)
  }
  return { tools }
}

function foundTool(
  { name, description }: ToolCard,
  more: Omit<FoundTool, "name" | "description"> = {},
): FoundTool {
  return { name, description, ...more }
}

const isShort = (tools: readonly FoundTool[]) => estimateTokens(JSON.stringify(tools)) <= TOKENS

/** A schema without descriptions. */
function bare<Schema extends ToolSchema>({ description: _, properties, items, ...schema }: Schema): Schema {
  return {
    ...schema,
    ...(items && { items: bare(items) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, bare(property)]),
      ),
    }),
  } as Schema
}

/** Parameters by name, the required ones with a mark; what is no text has its type. */
function signatureOf({ properties, required = [] }: ToolCard["inputSchema"]): string {
  const names = Object.keys(properties).sort(
    (a, b) => Number(required.includes(b)) - Number(required.includes(a)),
  )
  const parameters = names.map((name) => {
    const { type = "any" } = properties[name]!
    return `${name}${required.includes(name) ? "*" : ""}${type === "string" ? "" : ` ${type}`}`
  })
  const shown = parameters.slice(0, PARAMETERS_MAX)
  return `${shown.join(", ")}${parameters.length > shown.length ? ", …" : ""}`
}

function ranked(cards: readonly ToolCard[], query: string): ToolCard[] {
  const words = wordsOf(query)
  const isQuestion = words.some((word) => QUESTION_WORDS.has(word))
  const terms = [...new Set(words.map((word) => SYNONYMS.get(word) ?? word))]
    .filter((word) => !STOP_WORDS.has(word))
    .slice(0, WORDS_MAX)
  const weightOfWrites = isQuestion ? 0.5 : terms.some((word) => WRITE_VERBS.has(word)) ? 1 : 0.8
  const weightedCards = cards.map((card) => ({ card, weights: weightsOf(card) }))
  const rarity = new Map(
    terms.map((word) => {
      const holders = weightedCards.filter(({ weights }) => weights.has(word)).length
      return [word, holders === 0 ? 0 : Math.log(1 + cards.length / holders)]
    }),
  )
  return weightedCards
    .map(({ card, weights }) => {
      const points = terms.reduce((sum, word) => sum + (weights.get(word) ?? 0) * rarity.get(word)!, 0)
      return { card, points: card.annotations.readOnlyHint ? points : points * weightOfWrites }
    })
    .filter(({ points }) => points > 0)
    .sort((a, b) => b.points - a.points)
    .slice(0, FOUND_MAX)
    .map(({ card }) => card)
}

/** The call that a call of `use_tool` is about. Throws `bad_request` for a tool that there is not. */
export function usedTool(names: readonly string[], args: object): { name: string; args: object } {
  const { name, arguments: inputs } = parse(UseInput, args)
  if (names.includes(name)) return { name, args: inputs }
  const near = closest(name, names)
  throw badRequest(
    `there is no tool "${excerpt(name)}". ${near ? `Did you mean ${near}?` : `${FIND_TOOL} finds them by words`}`,
  )
}

const NOUNS = "Try a noun such as lead, note, tag, attribute, duplicate, import, segment, webhook or key"

/** Words by which tools are named for other words of the same meaning. */
const SYNONYMS = new Map(
  Object.entries({
    delete: "remove erase",
    create: "add make new send",
    update: "change edit set",
    get: "show read",
    stat: "count",
    undo: "revert restore",
    duplicate: "dedupe",
    suppression: "blocklist unsubscribe forbidden blocked block",
    file: "table csv excel xlsx spreadsheet sheet",
    import: "upload",
    lead: "customer prospect",
    member: "people",
    owner: "colleague teammate assign",
    email: "mail mailbox",
    tag: "label",
    attribute: "field column",
    activity: "call meeting",
  }).flatMap(([word, others]) => others.split(" ").map((other) => [other, word] as const)),
)
/** Words of questions: tools that only read answer them. */
const QUESTION_WORDS = new Set(
  "which who what why when where whose how list show get find see may count".split(" "),
)
const WRITE_VERBS = new Set(
  "create update delete undo merge import rename retry owner convert tag test log".split(" "),
)
/** Words that say nothing about the purpose of a tool. */
const STOP_WORDS = new Set(
  "a an the this that these those we i you it my our your me us to of in on for from with by into and or is are be do doe did can may must should will which who what why when where whose how all some please want not".split(
    " ",
  ),
)

/** What some tools are for beyond their names and sentences, in the words of those who look for them. */
const PURPOSES: Readonly<Record<string, string>> = {
  import_leads: "file import",
  create_lead_tag: "rename tag",
  batch_update_leads: "rename tag owner many lead undo merge",
  update_lead: "owner status follow next step schedule reminder",
  get_rendered_template: "email mail message write draft create lead",
  log_activity: "email call meeting contacted",
  list_duplicates: "find duplicate same",
  list_suppressions: "contact contacted contactable email allowed suppression consent",
  create_suppression: "contact suppression email stop",
  match_leads: "contactable contact",
  list_leads: "export contactable download",
  update_attribute_definition: "rename attribute",
  list_members: "owner colleague team",
  list_webhook_deliveries: "failed failing sent",
  get_stats: "report stat batch",
  list_changes: "history audit trail change",
}

/** The words of a tool with their weight: its name counts most, then what it is for, then its parameters. */
function weightsOf({ name, description, inputSchema }: ToolCard): ReadonlyMap<string, number> {
  const weights = new Map<string, number>()
  const add = (text: string, weight: number) => {
    for (const word of wordsOf(text)) weights.set(word, Math.max(weights.get(word) ?? 0, weight))
  }
  add(name, 4)
  add(PURPOSES[name] ?? "", 4)
  add(description, 2)
  for (const [parameter, { description: about = "" }] of Object.entries(inputSchema.properties))
    add(`${parameter} ${about}`, 1)
  return weights
}

/** Words in lower case and without a plural's s. */
function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).map((word) =>
    word.length > 3 && word.endsWith("s") && !word.endsWith("ss") && !word.endsWith("us")
      ? word.slice(0, -1)
      : word,
  )
}
