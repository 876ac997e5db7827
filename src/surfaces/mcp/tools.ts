import type { Operation } from "../../domain/operation.ts"
import { type Annotations, annotationsOf, describeParameter, METHODS, TOOL_ORDER } from "./descriptions.ts"
import { type ObjectSchema, toolSchema } from "./schema.ts"

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

/** Every operation that is a tool, by name, in the order they are listed. Made once: this converts all schemas. */
export function makeTools(operations: readonly Operation[]): ReadonlyMap<string, Tool> {
  const place = ({ name, toolset = "" }: Operation) =>
    TOOL_ORDER.includes(name) ? String(TOOL_ORDER.indexOf(name)).padStart(3, "0") : `~${toolset}`
  const shown = operations.filter((operation) => operation.tool || operation.toolset)
  shown.sort((a, b) => (place(a) < place(b) ? -1 : place(a) > place(b) ? 1 : 0))
  return new Map(shown.map((operation) => [operation.name, makeTool(operation)]))
}

function makeTool(operation: Operation): Tool {
  const { name, about, access, toolset } = operation
  const [route = METHODS.get(name) ?? ""] = [operation.http ?? []].flat()
  const method = route.split(" ")[0]!
  const needsConfirm = method === "DELETE"
  const inputSchema = toolSchema(operation)
  // Optional in the schema, so that a call without it can be told what is missing.
  if (needsConfirm)
    inputSchema.properties.confirm = { type: "boolean", description: describeParameter("confirm")! }
  const card = {
    name,
    title: titleOf(name),
    description: about,
    inputSchema,
    annotations: annotationsOf(name, access, method),
  }
  return { operation, needsConfirm, toolset, card }
}

/** `create_api_key` as `Create API key`. */
function titleOf(name: string): string {
  const words = name.replaceAll("_", " ").replace("api", "API")
  return words[0]!.toUpperCase() + words.slice(1)
}
