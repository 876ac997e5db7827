import type { Operation } from "../../domain/operation.ts"
import type { ApiChapter } from "../../domain/tags.ts"
import { type ObjectSchema, toolSchema } from "./schema.ts"

/**
 * Annotations by which clients judge a tool's risk. Tools that need confirming are destructive: all others can be
 * undone.
 */
interface Annotations {
  readOnlyHint: boolean
  destructiveHint: boolean
  idempotentHint: boolean
  openWorldHint: boolean
}

/** A tool as clients read it. */
export interface ToolCard {
  name: string
  title: string
  description: string
  inputSchema: ObjectSchema
  annotations: Annotations
}

/** A tool as it is called. */
export interface Tool {
  operation: Operation
  /** A call must carry `confirm: true`: the operations that are DELETE over REST. */
  needsConfirm: boolean
  /** The set that it belongs to; without one it is always there. */
  toolset: string | undefined
  card: ToolCard
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
  return new Map(shown.map((operation) => [operation.name, makeTool(asTool(operation))]))
}

/** The operation that a call of the tool executes: the same one unless the tool differs from the route. */
function asTool(operation: Operation): Operation {
  const { about, input, run } = operation.tool ?? {}
  if (!about && !input && !run) return operation
  return { ...operation, ...(about && { about }), ...(input && { input }), ...(run && { run }) }
}

function makeTool(operation: Operation): Tool {
  const { name, about, access, tool = {} } = operation
  const [route = ""] = [operation.http ?? []].flat()
  const method = route.split(" ")[0]!
  const needsConfirm = method === "DELETE" || tool.isDeleting === true
  const inputSchema = toolSchema(operation)
  // Optional in the schema, so that a call without it can be told what is missing.
  if (needsConfirm)
    inputSchema.properties.confirm = { type: "boolean", description: "Must be true to delete" }
  const reads = access === "read" || method === "GET"
  const annotations: Annotations = {
    readOnlyHint: reads,
    destructiveHint: needsConfirm,
    idempotentHint: reads || method === "PUT" || needsConfirm || tool.isRepeatable === true,
    openWorldHint: tool.isOutward === true,
  }
  const card = { name, title: titleOf(name), description: about, inputSchema, annotations }
  return { operation, needsConfirm, toolset: tool.set, card }
}

/** `create_api_key` as `Create API key`. */
function titleOf(name: string): string {
  const words = name.replaceAll("_", " ").replace("api", "API")
  return words[0]!.toUpperCase() + words.slice(1)
}
