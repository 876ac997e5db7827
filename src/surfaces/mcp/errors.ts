import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server"
import { AppError } from "../../runtime/errors.ts"
import { closest, excerpt } from "../../text/text.ts"

/**
 * Rewords messages of the domain for tools: what to call next. Of several texts the first one whose tools the client has
 * is said.
 */
const WORDING: readonly (readonly [RegExp, string, ...string[]])[] = [
  ...Object.entries({
    Lead: "list_leads finds ids",
    Note: "list_notes finds the ids of a lead's notes",
    Attribute: "list_attributes finds the ids of a lead's attributes",
    "Scoring rule": "list_scoring_rules finds ids",
    Webhook: "list_webhooks finds ids",
    "API key": "list_api_keys finds ids",
  }).map(([what, how]) => {
    const missing = `${what} not found`
    return [new RegExp(`^${missing}$`), `${missing}; ${how}`, missing] as const
  }),
  [
    /use POST \/leads.* DELETE \/leads\S+/,
    "use create_attribute, update_attribute and delete_attribute",
    "give them by name where single ones change",
  ],
  [/change its value with PUT/, "change its value with update_attribute", "its value can change"],
  [/Find it with filter=(\S+)/, "Find it with list_leads and the filter $1", "The filter $1 finds it"],
  [/same filter, sort_by and/, "same filter, sort and"],
  [
    /say which leads: filter, q, segment, ids, or "all": true.*/,
    "say which leads: ids, filter or q; and.is_not_empty.name is all",
  ],
  [/sort_by=relevance/, "sort relevance"],
  [/GET \/segments lists/, "list_segments lists", "the dashboard lists"],
  [/as GET \/members lists/, "as list_members lists", "as the dashboard lists"],
  [/with GET \/leads\b/, "with list_leads", "again"],
  [/with PUT \/webhooks\/\{id\}/, "with update_webhook", "in the dashboard, with"],
  [/by POST \/leads\/merge/, "by merge_leads", "by batch_update_leads with merge_into", "in the dashboard"],
  [/POST \/attributes\/\{name\}\/merge puts/, "the dashboard puts"],
  [
    /with POST \/merges\/\{id\}\/undo/,
    "with undo_merge",
    "with batch_update_leads and undo",
    "in the dashboard",
  ],
  [
    /^There are no changes with this batch_id$/,
    "There are no changes with this batch_id; get_stats with of: batches lists them",
    "There are no changes with this batch_id",
  ],
  [/send it in the X-API-Key header/, "send it as Authorization: Bearer <key>"],
  [/^The body must be a JSON object$/, "The arguments must be an object"],
]

/** What may be the name of a tool. */
const NAME = /\b[a-z]+_[a-z_]+\b/g

export interface ToolError {
  code: string
  message: string
  status: number
}

/** Whether a client lacks a tool of this name; false for a word that names none. */
export type Lacks = (name: string) => boolean

/** `{code, message, status}`, with a message that tells an agent what to do next, by the tools that it has. */
export function toolError(error: AppError, lacks: Lacks = () => false): ToolError {
  const said = error.toTool()
  const message = WORDING.reduce((text, [words, ...ways]) => {
    if (!words.test(text)) return text
    const can = ways.find((way) => !way.match(NAME)?.some(lacks))
    return text.replace(words, can ?? ways.at(-1)!)
  }, said.message)
  return { ...said, message }
}

/** An error of the domain as one of the protocol, to be thrown outside of tool calls; anything else as it is. */
export function protocolError(thrown: unknown): unknown {
  if (!(thrown instanceof AppError)) return thrown
  const error = toolError(thrown)
  return new ProtocolError(ProtocolErrorCode.InternalError, error.message, error)
}

/** A call of a tool that is not there: an error of the protocol, as the client should have known. */
export function unknownTool(
  name: string,
  names: Iterable<string>,
  toolset: string | undefined,
  isReached: boolean,
): ProtocolError {
  const near = closest(name, names)
  const hint = toolset
    ? `It is in the toolset ${toolset}, which a client asks for with ?toolsets=${toolset}${isReached ? `; use_tool {name, arguments} calls it from here` : ""}`
    : near
      ? `Did you mean ${near}?`
      : isReached
        ? "find_tool {query} finds more than tools/list names"
        : "tools/list names them all"
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool "${excerpt(name)}". ${hint}`)
}
