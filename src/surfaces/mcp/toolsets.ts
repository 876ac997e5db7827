// Which tools a client is shown: the default ones, those of the sets that it asks for, and of these what it may call.
import { badRequest } from "../../core/errors.ts"
import { closest, excerpt } from "../../core/text.ts"
import { authorise, type Caller, type Operation } from "../../domain/operation.ts"
import type { Tool } from "./tools.ts"

/** The tools that a client asks for by its address, its headers or its command line. */
export interface View {
  toolsets: ReadonlySet<string>
  /** Only tools that change nothing. */
  isReadOnly: boolean
}

/** The default tools. */
export const PLAIN_VIEW: View = { toolsets: new Set(), isReadOnly: false }

/** All sets at once. */
const ALL = "all"

/** The names of the sets that there are, sorted. */
export function toolsetsOf(operations: readonly Operation[]): string[] {
  return [...new Set(operations.flatMap(({ tool }) => tool?.set ?? []))].sort()
}

/** Reads names of sets with commas between them, and whether only reading tools are wanted. Throws `bad_request`. */
export function parseView(known: readonly string[], names: readonly string[], readOnly: string): View {
  const asked = names.flatMap((text) => text.split(",").map((name) => name.trim())).filter(Boolean)
  for (const name of asked) {
    if (name === ALL || known.includes(name)) continue
    const near = closest(name, known)
    throw badRequest(
      `unknown toolset "${excerpt(name)}". ${near ? `Did you mean "${near}"? ` : ""}Valid: ${known.join(", ")}, ${ALL}`,
    )
  }
  if (!/^(true|false|1|0|)$/i.test(readOnly)) throw badRequest("read_only must be true or false")
  return {
    toolsets: new Set(asked.includes(ALL) ? known : asked),
    isReadOnly: /^(true|1)$/i.test(readOnly),
  }
}

/** The view that an address and its headers ask for. Throws `bad_request`. */
export function viewOf(known: readonly string[], url: string, headers: Headers): View {
  const query = url.indexOf("?")
  const header = headers.get("x-mcp-toolsets")
  const readOnlyHeader = headers.get("x-mcp-readonly")
  if (query < 0 && header === null && readOnlyHeader === null) return PLAIN_VIEW
  const parameters = new URLSearchParams(query < 0 ? "" : url.slice(query + 1))
  const readOnly = [parameters.get("read_only"), readOnlyHeader].map((text) => text?.trim() ?? "")
  return parseView(
    known,
    [...parameters.getAll("toolsets"), header ?? ""],
    readOnly.find((text) => !/^(false|0|)$/i.test(text)) ?? "",
  )
}

/** Whether a tool is in a view, for any caller. */
export function isInView({ toolset, card }: Tool, { toolsets, isReadOnly }: View): boolean {
  return (toolset === undefined || toolsets.has(toolset)) && (!isReadOnly || card.annotations.readOnlyHint)
}

/** Whether a caller may call a tool. */
export function mayCall({ operation }: Tool, caller: Caller): boolean {
  try {
    authorise(operation.access, caller)
    return true
  } catch {
    return false
  }
}
