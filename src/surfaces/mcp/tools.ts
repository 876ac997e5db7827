import { type Operation, toolName } from "../../domain/operation.ts"
import type { ApiChapter } from "../../domain/tags.ts"
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
    // What reads may always be repeated; false is what clients take where nothing is said.
    ...(!reads && (method === "PUT" || deletes || tool.isRepeatable) && { idempotentHint: true }),
    openWorldHint: tool.isOutward === true,
  }
  const bare = { name, title: titleOf(name), description: about, annotations }
  const withParameter = (more: Record<string, ToolSchema>): ToolCard => {
    const properties = { ...inputSchema.properties, ...more }
    // So the protocol wants a tool without parameters, and clients with strict schemas do.
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
