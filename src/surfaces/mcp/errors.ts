import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server"
import type { AppError } from "../../core/errors.ts"
import { closest, excerpt } from "../../core/text.ts"

/** Rewords messages of the domain for tools: which tool to call next. */
const WORDING: readonly (readonly [RegExp, string])[] = [
  [/^Lead not found$/, "Lead not found; list_leads finds ids"],
  [/^Note not found$/, "Note not found; list_notes finds the ids of a lead's notes"],
  [/^Attribute not found$/, "Attribute not found; list_attributes finds the ids of a lead's attributes"],
  [/^Scoring rule not found$/, "Scoring rule not found; list_scoring_rules finds ids"],
  [/^Webhook not found$/, "Webhook not found; list_webhooks finds ids"],
  [/^API key not found$/, "API key not found; list_api_keys finds ids"],
  [/use POST \/leads.* DELETE \/leads\S+/, "use create_attribute, update_attribute and delete_attribute"],
  [/change its value with PUT/, "change its value with update_attribute"],
  [/Find it with filter=(\S+)/, "Find it with list_leads and the filter $1"],
  [/same filter, sort_by and/, "same filter, sort and"],
  [
    /say which leads: filter, q, segment, ids, or "all": true.*/,
    "say which leads: ids, filter or q; and.is_not_empty.name is all",
  ],
  [/sort_by=relevance/, "sort relevance"],
  [/GET \/segments\b/, "list_segments"],
  [/with GET \/leads\b/, "with list_leads"],
  [/PUT \/webhooks\/\{id\}/, "update_webhook"],
  [/POST \/leads\/merge/, "merge_leads"],
  [/POST \/merges\/\{id\}\/undo/, "undo_merge"],
  [/send it in the X-API-Key header/, "send it as Authorization: Bearer <key>"],
  [/^The body must be a JSON object$/, "The arguments must be an object"],
]

export interface ToolError {
  code: string
  message: string
  status: number
}

/** `{code, message, status}`, with a message that tells an agent what to do next. */
export function toolError(error: AppError): ToolError {
  const said = error.toTool()
  const message = WORDING.reduce((text, [words, instead]) => text.replace(words, instead), said.message)
  return { ...said, message }
}

/** A call of a tool that is not there: an error of the protocol, as the client should have known. */
export function unknownTool(name: string, known: Iterable<string>, toolset?: string): ProtocolError {
  const near = closest(name, known)
  const hint = toolset
    ? `It is in the toolset ${toolset}, which a client asks for with ?toolsets=${toolset}`
    : near
      ? `Did you mean ${near}?`
      : "tools/list names them all"
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool "${excerpt(name)}". ${hint}`)
}
