import { admit, type Caller, type Operation, toolName } from "../../domain/operation.ts"
import type { ApiChapter } from "../../domain/tags.ts"
import { badRequest } from "../../runtime/errors.ts"
import { closest, excerpt } from "../../text/text.ts"
import { type ObjectSchema, type ToolSchema, toolSchema } from "./schema.ts"

/** Annotations by which clients judge a tool's risk: each either reads only, or can do harm where it is misused. */
interface Annotations {
  readOnlyHint: boolean
  destructiveHint: boolean
  idempotentHint?: true
  openWorldHint: boolean
}

/** A tool as clients read it. */
export interface ToolCard {
  name: string
  title: string
  description: string
  inputSchema: ObjectSchema
  annotations: Annotations
  /** The address of the page that shows its answers, for clients that show pages. */
  _meta?: { ui: { resourceUri: string } }
}

/** A tool as it is called. */
export interface Tool {
  operation: Operation
  deletes: boolean
  /** A call must carry `confirm: true`: default tools that delete. */
  needsConfirm: boolean
  /** Some of its calls take a `plan`. */
  isGuardable: boolean
  /** Whether a call shows first what it would do: `many` where it writes to more than a few leads. */
  guardOf(input: Readonly<Record<string, unknown>>, isGuarded: boolean): "always" | "many" | undefined
  /** Whether a call may wait for a job, which can be cancelled and tells how far it is. */
  mayTakeLong(input: Readonly<Record<string, unknown>>): boolean
  takesDryRun: boolean
  takesExpect: boolean
  /** The set that it belongs to; without one it is always there. */
  toolset: string | undefined
  card: ToolCard
  /** The card for clients whose calls ask before harm. */
  guardedCard: ToolCard
}

/** Nouns in the order of the list, which clients cache; within a noun the order is that of the operations. */
const DEFAULT_ORDER: readonly ApiChapter[] = [
  "Leads",
  "Batches",
  "Notes",
  "Attributes",
  "Scoring",
  "Webhooks",
  "API keys",
  "Stats",
]

/**
 * Every operation that is a tool, by name, in the order they are listed: those that all clients see by noun, then the
 * toolsets by name. Made once, as this converts all schemas.
 */
export function makeTools(operations: readonly Operation[]): ReadonlyMap<string, Tool> {
  const place = ({ tag, tool }: Operation) =>
    tool?.set === undefined ? String(DEFAULT_ORDER.indexOf(tag)).padStart(2, "0") : `~${tool.set}`
  const shown = operations.filter(({ tool }) => tool)
  shown.sort((a, b) => (place(a) < place(b) ? -1 : place(a) > place(b) ? 1 : 0))
  return new Map(shown.map((operation) => [toolName(operation), makeTool(asTool(operation))]))
}

/** The operation that a call of the tool executes: the same one unless the tool differs from the route. */
function asTool(operation: Operation): Operation {
  const name = toolName(operation)
  const { about, bodyMax, input, run } = operation.tool ?? {}
  if (name === operation.name && !(about || bodyMax || input || run)) return operation
  return {
    ...operation,
    name,
    ...(about && { about }),
    ...(bodyMax && { bodyMax }),
    ...(input && { input }),
    ...(run && { run }),
  }
}

function makeTool(operation: Operation): Tool {
  const { name, about, access, tool = {} } = operation
  const [route = ""] = [operation.http ?? []].flat()
  const method = route.split(" ")[0]!
  const deletes = method === "DELETE"
  const reads = access === "read" || method === "GET"
  const isAlwaysPlanned = tool.set !== undefined && !reads
  const inputSchema = toolSchema(operation)
  const annotations: Annotations = {
    readOnlyHint: reads,
    destructiveHint: !reads,
    // Left out for tools that read, which may always be repeated. Clients take false where it is left out.
    ...(!reads && (method === "PUT" || deletes || tool.isRepeatable) && { idempotentHint: true }),
    openWorldHint: tool.isOutward === true,
  }
  const bare = { name, title: titleOf(name), description: about, annotations }
  const withParameter = (more: Record<string, ToolSchema>): ToolCard => {
    const properties = { ...inputSchema.properties, ...more }
    // The protocol and clients with strict schemas want it so for a tool without parameters.
    const isEmpty = Object.keys(properties).length === 0
    return {
      ...bare,
      inputSchema: { ...inputSchema, properties, ...(isEmpty && { additionalProperties: false }) },
    }
  }
  const needsConfirm = deletes && !isAlwaysPlanned
  const isGuardable = deletes || tool.guard !== undefined || isAlwaysPlanned
  const answersLater = operation.status === 202 || operation.otherStatuses?.includes(202) === true
  const guardedCard = withParameter(isGuardable ? { plan: PLAN } : {})
  return {
    ...{ operation, deletes, needsConfirm, isGuardable },
    guardOf(input, isGuarded) {
      if (reads) return undefined
      if (isAlwaysPlanned) return "always"
      if (!isGuarded) return undefined
      return deletes ? "always" : tool.guard?.(input)
    },
    mayTakeLong: (input) => answersLater || tool.mayBeginJob?.(input) === true,
    takesDryRun: "dry_run" in inputSchema.properties,
    takesExpect: "expect" in inputSchema.properties,
    toolset: tool.set,
    // Optional in the schema, so that a call without it can be told what is missing.
    card: isAlwaysPlanned ? guardedCard : withParameter(needsConfirm ? { confirm: CONFIRM } : {}),
    guardedCard,
  }
}

const CONFIRM: ToolSchema = { type: "boolean", description: "true deletes" }
const PLAN: ToolSchema = { type: "string", description: "From the same call made without it" }

/** `create_api_key` as `Create API key`. */
function titleOf(name: string): string {
  const words = name.replaceAll("_", " ").replace("api", "API")
  return words[0]!.toUpperCase() + words.slice(1)
}

// The tools that a client is shown: the default ones and those of the toolsets it asks for, as far as it may call them.

/** The two tools that find and call all others. */
export const FIND_TOOL = "find_tool"
export const USE_TOOL = "use_tool"

/** The tools that a client asks for by its address, its headers or its command line. */
export interface View {
  toolsets: ReadonlySet<string>
  /** Only tools that change nothing. */
  isReadOnly: boolean
  /** These tools alone, besides those of `toolsets`; undefined for the default ones. */
  only?: ReadonlySet<string>
  exclude: ReadonlySet<string>
  /** Lists the two tools that find and call all others. */
  finds: boolean
  /** Without tools that send data out or make keys. */
  isSafe: boolean
  /** Calls show what they would do before they do harm; undefined follows the key. */
  guard?: "plan" | "off"
}

/** The default tools. */
export const PLAIN_VIEW: View = {
  toolsets: new Set(),
  isReadOnly: false,
  exclude: new Set(),
  finds: false,
  isSafe: false,
}

/** All sets at once. */
const ALL = "all"
/** The tools that find and call all others, by one name. */
const FIND = "find"
const FINDERS: ReadonlySet<string> = new Set([FIND, FIND_TOOL, USE_TOOL])
/** Chapters whose tools can send an account's data elsewhere. */
const WAYS_OUT: ReadonlySet<ApiChapter> = new Set<ApiChapter>(["Webhooks", "API keys"])
const PRESETS = ["safe"] as const
const GUARDS = ["plan", "off"] as const

/** The names that a view is made of. */
export interface KnownTools {
  toolsets: readonly string[]
  tools: readonly string[]
}

/** Texts that a client sends for a view; lists have commas between their names. */
interface AskedView {
  toolsets?: readonly string[]
  tools?: readonly string[]
  exclude?: readonly string[]
  readOnly?: string
  preset?: string
  guard?: string
}

/** The names of the tools, and of their sets in order. */
export function nameTools(operations: readonly Operation[]): KnownTools {
  const tools = operations.filter(({ tool }) => tool).map(toolName)
  return { toolsets: [...new Set(operations.flatMap(({ tool }) => tool?.set ?? []))].sort(), tools }
}

/** Reads a view. Throws `bad_request` that names what there is. */
export function parseView(all: KnownTools, asked: AskedView): View {
  const sets = namesIn(asked.toolsets, [...all.toolsets, ALL, FIND], "toolset")
  const chosen = namesIn(asked.tools, [...all.tools, ...FINDERS], "tool")
  const only = chosen.filter((name) => !FINDERS.has(name))
  const readOnly = asked.readOnly ?? ""
  if (!/^(true|false|1|0|)$/i.test(readOnly)) throw badRequest("read_only must be true or false")
  const guard = choiceIn(asked.guard, GUARDS, "guard")
  return {
    toolsets: new Set(sets.includes(ALL) ? all.toolsets : sets.filter((name) => name !== FIND)),
    isReadOnly: /^(true|1)$/i.test(readOnly),
    ...(chosen.length > 0 && { only: new Set(only) }),
    finds: only.length < chosen.length || sets.includes(FIND),
    exclude: new Set(namesIn(asked.exclude, all.tools, "tool")),
    isSafe: choiceIn(asked.preset, PRESETS, "preset") === "safe",
    ...(guard && { guard }),
  }
}

function namesIn(texts: readonly string[] = [], offered: readonly string[], what: string): string[] {
  const names = texts.flatMap((text) => text.split(",").map((name) => name.trim())).filter(Boolean)
  for (const name of names) {
    if (offered.includes(name)) continue
    const near = closest(name, offered)
    throw badRequest(
      `unknown ${what} "${excerpt(name)}". ${near ? `Did you mean "${near}"? ` : ""}Valid: ${offered.join(", ")}`,
    )
  }
  return names
}

function choiceIn<T extends string>(
  text: string | undefined,
  choices: readonly T[],
  what: string,
): T | undefined {
  const asked = text?.trim() ?? ""
  if (asked === "") return undefined
  const choice = choices.find((one) => one === asked)
  if (!choice) throw badRequest(`${what} must be ${choices.join(" or ")}, got "${excerpt(asked)}"`)
  return choice
}

/** The view that an address and its headers ask for. Throws `bad_request`. */
export function viewOf(all: KnownTools, url: string, headers: Headers): View {
  const query = url.indexOf("?")
  const header = headers.get("x-mcp-toolsets")
  const readOnlyHeader = headers.get("x-mcp-readonly")
  if (query < 0 && header === null && readOnlyHeader === null) return PLAIN_VIEW
  const parameters = new URLSearchParams(query < 0 ? "" : url.slice(query + 1))
  const readOnly = [parameters.get("read_only"), readOnlyHeader].map((text) => text?.trim() ?? "")
  return parseView(all, {
    toolsets: [...parameters.getAll("toolsets"), ...parameters.getAll("toolset"), header ?? ""],
    tools: [...parameters.getAll("tools"), ...parameters.getAll("tool")],
    exclude: parameters.getAll("exclude"),
    readOnly: readOnly.find((text) => !/^(false|0|)$/i.test(text)) ?? "",
    preset: parameters.get("preset") ?? "",
    guard: parameters.get("guard") ?? "",
  })
}

/** Whether `use_tool` calls any tool: it need not be listed for that where a client did not choose single tools. */
export const reachesAll = ({ finds, only }: View): boolean => finds || only === undefined

/** The view of what can be found and called from a view: all tools that it does not leave out. */
export function wholeView({ only: _, ...view }: View, { toolsets }: KnownTools): View {
  return { ...view, toolsets: new Set(toolsets) }
}

/** Whether a tool is in a view, for any caller. */
export function isInView(tool: Tool, view: View): boolean {
  return (
    isChosen(tool, view) && (!view.isReadOnly || tool.card.annotations.readOnlyHint) && !isWayOut(tool, view)
  )
}

/** Whether a client asked for a tool, whatever the tool does. */
export function isChosen({ toolset, card }: Tool, { toolsets, only, exclude }: View): boolean {
  if (exclude.has(card.name)) return false
  if (toolset !== undefined && toolsets.has(toolset)) return true
  return only ? only.has(card.name) : toolset === undefined
}

/** Whether a view leaves a tool out because it can send data elsewhere. */
export function isWayOut({ operation }: Tool, { isSafe }: View): boolean {
  return isSafe && WAYS_OUT.has(operation.tag)
}

/** Whether calls of a caller ask before harm. A key's own mark cannot be lifted by an address. */
export function isGuarded(view: View, caller: Caller): boolean {
  return caller.isGuarded === true || view.guard === "plan"
}

/** Whether a caller may call a tool. */
export function mayCall({ operation }: Tool, caller: Caller): boolean {
  try {
    admit(operation, caller)
    return true
  } catch {
    return false
  }
}
