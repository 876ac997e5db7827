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
const JSON_TYPE = "application/json"

const GUIDES: readonly (Resource & { text: string })[] = [
  {
    uri: "guide://filters",
    name: "filters",
    title: "Filter guide",
    description: "Every field and operator of list_leads filters",
    mimeType: MARKDOWN,
    text: FILTER_GUIDE,
  },
  {
    uri: "guide://scoring",
    name: "scoring",
    title: "Scoring language guide",
    description: "The expressions of scoring rules, with examples",
    mimeType: MARKDOWN,
    text: SCORING_GUIDE,
  },
]

export const RESOURCES: Resource[] = GUIDES.map(({ text: _, ...card }) => card)

/** Things of the account by the beginning of their address, with the operation that reads one and the name of its input. */
const KINDS: readonly (Omit<ResourceTemplateType, "uriTemplate"> & {
  scheme: string
  input: "id" | "ticket"
  operation: unknown
})[] = [
  {
    ...{ scheme: "leads://", input: "id", operation: getLead },
    name: "lead",
    title: "Lead",
    description: "One lead by its id, with every field",
    mimeType: JSON_TYPE,
  },
  {
    ...{ scheme: EXPORT_URI, input: "ticket", operation: readExport },
    name: "export",
    title: "Export",
    description: "The file of an export, by the link that list_leads gave",
  },
  {
    ...{ scheme: SEGMENT_URI, input: "id", operation: readSegment },
    name: "segment",
    title: "Segment",
    description: "A segment with its first leads; clients that listen are told when these change",
    mimeType: JSON_TYPE,
  },
  {
    ...{ scheme: JOB_URI, input: "id", operation: getJob },
    name: "job",
    title: "Job",
    description: "How far longer work is",
    mimeType: JSON_TYPE,
  },
]

export const RESOURCE_TEMPLATES: ResourceTemplateType[] = KINDS.map(
  ({ scheme, input, operation: _, ...card }) => ({ uriTemplate: `${scheme}{${input}}`, ...card }),
)

/** A guide, a page, or what is in the account, which counts as a request. Throws ResourceNotFoundError for anything else. */
export async function readResource(mcp: Mcp, visit: ToolVisit, uri: string): Promise<ReadResourceResult> {
  const guide = GUIDES.find((one) => one.uri === uri)
  if (guide) return { contents: [{ uri, mimeType: MARKDOWN, text: guide.text }] }
  const page = pageAt(uri)
  if (page !== undefined) {
    const _meta = { ui: { prefersBorder: true } }
    return { contents: [{ uri, mimeType: PAGE_TYPE, text: page, _meta }] }
  }
  const kind = KINDS.find(({ scheme }) => uri.startsWith(scheme))
  if (!kind) throw new ResourceNotFoundError(uri)
  try {
    await countRequest(mcp, visit)
    const input = { [kind.input]: uri.slice(kind.scheme.length) }
    const answer = await execute(mcp.services, kind.operation as Operation, await visit.caller, input)
    if (answer instanceof Download) return { contents: [await fileContents(uri, answer)] }
    const text = answer instanceof JsonText ? answer.text : JSON.stringify(answer)
    return { contents: [{ uri, mimeType: JSON_TYPE, text }] }
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.kind === "not_found") throw new ResourceNotFoundError(uri)
    throw protocolError(thrown)
  }
}
