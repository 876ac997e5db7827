import {
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from "@modelcontextprotocol/server"
import { AppError } from "../../core/errors.ts"
import { JsonText } from "../../core/json-text.ts"
import { execute } from "../../core/operation.ts"
import { getLead } from "../../domain/leads/leads.ts"
import { count, type Mcp, type Visit } from "./call.ts"
import { toolError } from "./errors.ts"
import { FILTER_GUIDE, SCORING_GUIDE } from "./guides.ts"

const MARKDOWN = "text/markdown"
const LEAD = "leads://"

const GUIDES: readonly { card: Resource; text: string }[] = [
  {
    card: {
      uri: "guide://filters",
      name: "filters",
      title: "Filter guide",
      description: "Every field and operator of list_leads filters",
      mimeType: MARKDOWN,
    },
    text: FILTER_GUIDE,
  },
  {
    card: {
      uri: "guide://scoring",
      name: "scoring",
      title: "Scoring language guide",
      description: "The expressions of scoring rules, with examples",
      mimeType: MARKDOWN,
    },
    text: SCORING_GUIDE,
  },
]

export const RESOURCES: Resource[] = GUIDES.map((guide) => guide.card)

export const RESOURCE_TEMPLATES: ResourceTemplateType[] = [
  {
    uriTemplate: `${LEAD}{id}`,
    name: "lead",
    title: "Lead",
    description: "One lead by its id, as get_lead answers it",
    mimeType: "application/json",
  },
]

/** A guide, or a lead, which counts as a request. Throws ResourceNotFoundError for anything else. */
export async function readResource(mcp: Mcp, visit: Visit, uri: string): Promise<ReadResourceResult> {
  const guide = GUIDES.find(({ card }) => card.uri === uri)
  if (guide) return { contents: [{ uri, mimeType: MARKDOWN, text: guide.text }] }
  if (!uri.startsWith(LEAD)) throw new ResourceNotFoundError(uri)
  return { contents: [{ uri, mimeType: "application/json", text: await leadAsText(mcp, visit, uri) }] }
}

async function leadAsText(mcp: Mcp, visit: Visit, uri: string): Promise<string> {
  try {
    await count(mcp, visit)
    const lead = await execute(mcp.services, getLead, await visit.caller, { id: uri.slice(LEAD.length) })
    return lead instanceof JsonText ? lead.text : JSON.stringify(lead)
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    if (thrown.kind === "not_found") throw new ResourceNotFoundError(uri)
    const error = toolError(thrown)
    throw new ProtocolError(ProtocolErrorCode.InternalError, error.message, error)
  }
}
