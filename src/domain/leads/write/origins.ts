// Where the values of a lead come from.
import { DATA_FIELDS, type LeadData } from "../../../lead/lead.ts"
import { leadField } from "../../../lead/lead-fields.ts"
import type { DiffChange, LeadRow, Reads } from "../../../store/contract/store.ts"

export const ORIGIN_KINDS = ["push", "import", "change", "merge", "enrichment"] as const

/** Where a field's value comes from. */
interface Origin {
  kind: (typeof ORIGIN_KINDS)[number]
  /** The source that the push or enrichment named; null for a change by hand and a merge. */
  source: string | null
  /** When the source knew it, else when it was written, in Unix seconds. */
  at: number
  /** The user or key; null where the trail does not reach back that far. */
  actor_id: string | null
  import_id: string | null
  /** 0 to 1, as the enrichment told it. */
  confidence: number | null
}

/** Origins by field; an attribute is `attr:` and its name. */
export type Origins = Record<string, Origin>

type OriginReads = Pick<Reads, "changes" | "enrichment">

/** An enrichment as it is kept at the lead: each field it has set with a hash of its value. */
export type KeptEnrichment = [
  source: string,
  at: number,
  confidence: number | null,
  fields: [name: string, hash: string][],
]

/** Begins the reason of an enrichment's change; the source follows. */
export const ENRICHED = "enriched:"
const PUSHED = "dedup:"
/** Changes of a lead that are looked through. */
const CHANGES_MAX = 1_000
const AT_ONCE = 100

/** Tells whether a value is still the one that an enrichment has set, in four characters. */
export function valueHash(value: unknown): string {
  return Bun.hash.crc32(JSON.stringify(value)).toString(36).padStart(4, "0").slice(-4)
}

/** Enrichments of a lead. */
export async function keptEnrichments(
  reads: OriginReads,
  account: number,
  row: LeadRow,
): Promise<KeptEnrichment[]> {
  const text = await reads.enrichment.origins(account, row.ref)
  return text === null ? [] : JSON.parse(text)
}

/** The fields and attributes of a lead that have a value. */
export function valuesByField(data: LeadData): Map<string, unknown> {
  const all = data as unknown as Record<string, unknown>
  const values = new Map<string, unknown>()
  for (const name of DATA_FIELDS) {
    const value = all[name]
    if (leadField(name).readOnly || value == null || (Array.isArray(value) && value.length === 0)) continue
    values.set(name, value)
  }
  for (const { name, value } of data.attributes) values.set(`attr:${name}`, value)
  return values
}

/**
 * The origin of each value of a lead. That of pushes, imports, merges and changes by hand follows from the trail: it is
 * the newest change that set the value, so nothing is stored for them. Of enrichments the lead keeps source, time and
 * confidence. Where the trail was pruned, or behind 1,000 changes, it is the enrichment that set the value the lead has, else the
 * lead's source at its creation.
 */
export async function originsOf(reads: OriginReads, account: number, row: LeadRow): Promise<Origins> {
  const data = row.data()
  const open = valuesByField(data)
  const enrichments = await keptEnrichments(reads, account, row)
  const origins: Origins = {}
  const order = [...open.keys()]
  let source = data.source
  let after: number | undefined
  for (let looked = 0; open.size > 0 && looked < CHANGES_MAX; ) {
    const query = { filter: { lead_id: data.id }, descending: true, after, limit: AT_ONCE }
    const page = await reads.changes.diffs(account, query)
    for (const change of page.changes) {
      const fields = Object.keys(change.diff).filter((name) => open.has(name))
      const origin = fields.length > 0 ? await originOf(reads, account, change, source) : undefined
      for (const name of fields) {
        open.delete(name)
        origins[name] = withDetails(origin!, enrichments, name)
      }
      const before = change.diff.source?.[0]
      if (typeof before === "string") source = before
    }
    looked += page.changes.length
    after = page.position
    if (!page.more) break
  }
  for (const [name, value] of open) origins[name] = withoutTrail(data, enrichments, name, value)
  return Object.fromEntries(order.map((name) => [name, origins[name]!]))
}

/** The origin of what a change has set. `source` is the lead's behind it. */
async function originOf(
  reads: OriginReads,
  account: number,
  change: DiffChange,
  source: string,
): Promise<Origin> {
  const { action, reason, lead_id, position, actor_id, import_id, created_at: at } = change
  const by = { at, actor_id, import_id, confidence: null }
  if (reason?.startsWith(ENRICHED))
    return { kind: "enrichment", source: reason.slice(ENRICHED.length), ...by }
  if (action === "created") return { kind: import_id === null ? "push" : "import", source, ...by }
  if (action === "updated") return { kind: "change", source: null, ...by }
  if (!reason?.startsWith(PUSHED)) return { kind: "merge", source: null, ...by }
  const sent = (await reads.changes.pushedOf(account, lead_id, position))?.rest.source
  return {
    kind: import_id === null ? "push" : "import",
    source: typeof sent === "string" ? sent : source,
    ...by,
  }
}

/** An enrichment's origin with what the lead keeps of it. */
function withDetails(origin: Origin, enrichments: readonly KeptEnrichment[], field: string): Origin {
  if (origin.kind !== "enrichment") return origin
  const enrichment = enrichments.find(
    ([source, , , fields]) => source === origin.source && fields.some(([one]) => one === field),
  )
  return enrichment ? { ...origin, at: enrichment[1], confidence: enrichment[2] } : origin
}

function withoutTrail(
  data: LeadData,
  enrichments: readonly KeptEnrichment[],
  field: string,
  value: unknown,
): Origin {
  const nobody = { actor_id: null, import_id: null }
  const hash = valueHash(value)
  const enrichment = enrichments.find(([, , , fields]) =>
    fields.some(([one, of]) => one === field && of === hash),
  )
  if (!enrichment)
    return { kind: "push", source: data.source, at: data.created_at, ...nobody, confidence: null }
  const [source, at, confidence] = enrichment
  return { kind: "enrichment", source, at, ...nobody, confidence }
}
