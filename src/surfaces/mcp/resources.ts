import {
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from "@modelcontextprotocol/server"
import { EXPORT_URI, readExport } from "../../domain/exports/tickets.ts"
import { getJob } from "../../domain/jobs/jobs.ts"
import { getLead } from "../../domain/leads/lead-operations.ts"
import { readSegment } from "../../domain/leads/segments/resource.ts"
import { execute, type Operation } from "../../domain/operation.ts"
import { AppError } from "../../runtime/errors.ts"
import { Download, JsonText } from "../../text/json-text.ts"
import { fileContents } from "./answer.ts"
import { SEGMENT_URI } from "./entry.ts"
import { protocolError } from "./errors.ts"
import { FILTER_GUIDE, SCORING_GUIDE } from "./guides.ts"
import { JOB_URI } from "./jobs.ts"
import { pageAt } from "./pages/pages.ts"
import { countRequest, type Mcp, PAGE_TYPE, type ToolVisit } from "./visit.ts"

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
    description: "One lead by its id, with every field",
    mimeType: "application/json",
  },
  {
    uriTemplate: `${EXPORT_URI}{ticket}`,
    name: "export",
    title: "Export",
    description: "The file of an export, by the link that list_leads gave",
  },
  {
    uriTemplate: `${SEGMENT_URI}{id}`,
    name: "segment",
    title: "Segment",
    description: "A segment with its first leads; clients that listen are told when these change",
    mimeType: "application/json",
  },
  {
    uriTemplate: `${JOB_URI}{id}`,
    name: "job",
    title: "Job",
    description: "How far longer work is",
    mimeType: "application/json",
  },
]

/** Resources by the beginning of their address, with the operation and the name of its input. */
const KINDS: readonly (readonly [scheme: string, Operation, name: string])[] = [
  [LEAD, getLead as unknown as Operation, "id"],
  [SEGMENT_URI, readSegment as unknown as Operation, "id"],
  [JOB_URI, getJob as unknown as Operation, "id"],
  [EXPORT_URI, readExport as unknown as Operation, "ticket"],
]

/** A guide, a page, or what is in the account, which counts as a request. Throws ResourceNotFoundError for anything else. */
export async function readResource(mcp: Mcp, visit: ToolVisit, uri: string): Promise<ReadResourceResult> {
  const guide = GUIDES.find(({ card }) => card.uri === uri)
  if (guide) return { contents: [{ uri, mimeType: MARKDOWN, text: guide.text }] }
  const page = pageAt(uri)
  if (page !== undefined) {
    const _meta = { ui: { prefersBorder: true } }
    return { contents: [{ uri, mimeType: PAGE_TYPE, text: page, _meta }] }
  }
  const kind = KINDS.find(([scheme]) => uri.startsWith(scheme))
  if (!kind) throw new ResourceNotFoundError(uri)
  const [scheme, operation, name] = kind
  try {
    await countRequest(mcp, visit)
    const input = { [name]: uri.slice(scheme.length) }
    const answer = await execute(mcp.services, operation, await visit.caller, input)
    if (answer instanceof Download) return { contents: [await fileContents(uri, answer)] }
    const text = answer instanceof JsonText ? answer.text : JSON.stringify(answer)
    return { contents: [{ uri, mimeType: "application/json", text }] }
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.kind === "not_found") throw new ResourceNotFoundError(uri)
    throw protocolError(thrown)
  }
}
