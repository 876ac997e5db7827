// Eighteen jobs of a morning, as an agent does them with the default tools.
import { LEADS, lead, ORGANS } from "./seed.ts"

// biome-ignore lint/suspicious/noExplicitAny: answers of any tool
type Any = any

export interface Morning {
  /** Calls a tool and gives its data. Throws for an error. */
  tool(name: string, args?: object): Promise<Any>
  /** Asks over REST what became of it; not counted. */
  rest(method: string, path: string, body?: unknown): Promise<Any>
  /** Throws unless it holds. */
  must(holds: boolean, what: string): void
  /** Waits until something holds. */
  until(what: string, holds: () => Promise<boolean>): Promise<void>
  /** Unix seconds after the leads were made and before anything was done. */
  start: number
  /** A receiver that answers 500, and one that remembers its events. */
  failing: string
  alerts: { url: string; events(): readonly string[] }
}

interface Job {
  name: string
  run(morning: Morning, kept: Kept): Promise<void>
}

/** What one job leaves for a later one. */
export interface Kept {
  ids: string[]
  batch: string
  met: string
}

export const JOBS: readonly Job[] = [
  {
    name: "count by city and status",
    async run({ tool, must }) {
      const { total, groups } = await tool("get_stats", { group_by: ["city", "status"] })
      must(total === LEADS + 2 && groups.length >= 8, "a table of all leads")
    },
  },
  {
    name: "tag the best ten and note why",
    async run({ tool, rest, must }, kept) {
      const { leads } = await tool("list_leads", {
        filter: ["and.eq.status.new"],
        sort: "rating",
        sort_order: "DESC",
        limit: 10,
        fields: ["name", "rating"],
      })
      kept.ids = leads.map(({ id }: Any) => id)
      await tool("create_lead_tag", { ids: kept.ids, tag: "call-first" })
      await tool("create_note", { lead_ids: kept.ids, content: "Best rating" })
      const last = await rest("GET", `/leads/${kept.ids[9]}`)
      must(last.tags.includes("call-first") && last.note_count === 1, "ten tags and notes")
    },
  },
  {
    name: "find, merge and take back duplicates",
    async run({ tool, rest, must }) {
      const { leads } = await tool("list_leads", { q: "Zwillinge Optik", fields: ["name", "city"] })
      const [one] = leads
      const { duplicates } = await tool("get_lead", { id: one.id, include: ["duplicates"] })
      const other = duplicates[0].lead.id
      const { merge_id } = await tool("batch_update_leads", { ids: [other], merge_into: one.id })
      must((await rest("GET", "/leads?filter=and.eq.city.Ulm&total=true")).total === 1, "one lead is left")
      await tool("batch_update_leads", { undo: merge_id })
      must((await rest("GET", "/leads?filter=and.eq.city.Ulm&total=true")).total === 2, "both are back")
    },
  },
  {
    name: "a rule with preview and explanation",
    async run({ tool, must }, kept) {
      const rule = { name: "Rating", expression: "rating > 4 ? 60 : rating * 10" }
      const seen = await tool("create_scoring_rule", { ...rule, dry_run: true })
      must(seen.changed > 1_000 && seen.sample.length === 5, "a preview of the scores")
      await tool("create_scoring_rule", rule)
      await tool("update_all_scores")
      const { score, rules } = await tool("update_lead_score", { id: kept.ids[0], explain: true })
      must(score === 60 && rules[0].contribution === 60, "an explained score")
    },
  },
  {
    name: "dentists within 20 km as a file",
    async run({ tool, must }) {
      const filter = ["and.eq.category.dentist", "and.within_radius.location.52.52,13.405,20"]
      const { rows, url } = await tool("list_leads", {
        format: "csv",
        filter,
        fields: ["name", "phone", "city"],
      })
      const text = await (await fetch(url)).text()
      must(rows > 0 && text.trim().split("\n").length === rows + 1, "a file with a row a lead")
    },
  },
  {
    name: "disqualify what was not touched",
    async run({ tool, must, start }, kept) {
      const filter = [`and.lt.last_touched_at.${start}`, "and.neq.status.converted"]
      const stale = { filter, data: { status: "disqualified" } }
      const look = await tool("batch_update_leads", { ...stale, dry_run: true })
      const done = await tool("batch_update_leads", { ...stale, expect: look.matched })
      must(look.matched > 1_000 && done.success === look.matched && done.failed === 0, "all of them")
      kept.batch = done.batch_id
    },
  },
  {
    name: "log a meeting",
    async run({ tool, rest, must }, kept) {
      const { leads } = await tool("list_leads", { q: '"Nummer 123"', limit: 3, fields: ["name", "status"] })
      kept.met = leads.find(({ name }: Any) => name.endsWith(" 123")).id
      await tool("create_note", { lead_id: kept.met, content: "Met on the fair; wants an offer by Friday" })
      await tool("update_lead", { id: kept.met, status: "converted", attributes: { offer: "Friday" } })
      const met = await rest("GET", `/leads/${kept.met}`)
      must(
        met.status === "converted" && met.note_count === 1 && met.attributes.length === 2,
        "status, note and field",
      )
    },
  },
  {
    name: "undo a change of many leads",
    async run({ tool, rest, must }, kept) {
      const { batches } = await tool("get_stats", { of: "batches", limit: 10 })
      const found = batches.find(({ batch_id }: Any) => batch_id === kept.batch)
      must(found.leads > 1_000, "the batch is listed")
      await tool("batch_update_leads", { undo: found.batch_id })
      const left = await rest("GET", "/leads?filter=and.eq.status.disqualified&total=true")
      must(left.total === 0, "no lead is disqualified any more")
    },
  },
  {
    name: "failed deliveries",
    async run({ tool, rest, must, until, failing }, kept) {
      await rest("POST", "/webhooks", { url: failing, events: ["note.created"] })
      await rest("POST", `/leads/${kept.met}/notes`, { content: "Sent the offer" })
      const [{ id }] = await rest("GET", "/webhooks")
      const tried = async () => (await rest("GET", `/webhooks/${id}/deliveries?status=failing`)).count > 0
      await until("a delivery failed", tried)
      const [{ problems }] = await tool("list_webhooks", { include: ["problems"] })
      must(problems.failing === 1 && problems.last_error.code === 500, "what fails, with its error")
    },
  },
  {
    name: "weekly report with histogram and conversions",
    async run({ tool, must, start }) {
      const { total_leads } = await tool("get_stats")
      const { groups } = await tool("get_stats", {
        group_by: ["score"],
        step: 10,
        sort: "score",
      })
      const since = start - 7 * 86_400
      const won = await tool("get_stats", {
        of: "changes",
        field: "status",
        to: "converted",
        since,
        group_by: ["source"],
      })
      const best = await tool("list_leads", {
        sort: "score",
        sort_order: "DESC",
        limit: 5,
        fields: ["name", "score"],
      })
      must(total_leads === LEADS + 2 && groups.length <= 11, "a histogram")
      must(won.total > 0 && best.leads.length === 5, "conversions and the best leads")
    },
  },
  {
    name: "which attributes there are",
    async run({ tool, must }) {
      const all = await tool("list_attributes")
      must(all[0].name === "employees" && all[0].leads === LEADS, "the catalogue")
    },
  },
  {
    name: "a vague search",
    async run({ tool, must }) {
      const { leads } = await tool("list_leads", {
        q: "somebody repairing church organs",
        limit: 5,
        fields: ["name"],
      })
      must(
        leads[0]?.name === lead(ORGANS).name && leads[0].matched.length === 2,
        "the lead with most of the words",
      )
    },
  },
  {
    name: "import a pasted table, and take it back",
    async run({ tool, rest, must }) {
      const leads = Array.from({ length: 5 }, (_, i) => ({
        name: `Pasted ${i}`,
        source: "table",
        email: `p${i}@pasted.example`,
      }))
      const { success, batch_id } = await tool("batch_create_leads", { leads })
      must(success === 5, "five leads")
      await tool("batch_update_leads", { undo: batch_id })
      must((await rest("GET", "/leads?filter=and.eq.source.table&total=true")).total === 0, "none is left")
    },
  },
  {
    name: "an alert when leads enter a segment",
    async run({ tool, rest, must, until, alerts }, kept) {
      const segment = { name: "Hot in Kiel", filter: ["and.eq.city.Kiel", "and.array_contains.tags.hot"] }
      const made = await tool("create_webhook", { url: alerts.url, segment })
      must(made.segment.id.startsWith("seg_"), "a segment")
      await rest("PUT", `/leads/${kept.met}`, { city: "Kiel", tags: ["hot"] })
      await until("the alert came", async () => alerts.events().includes("segment.entered"))
    },
  },
  {
    name: "a lead as it was",
    async run({ tool, must, start }, kept) {
      const was = await tool("get_lead", { id: kept.met, as_of: start })
      must(was.status === lead(123).status && was.city === lead(123).city, "its earlier state")
    },
  },
  {
    name: "compare two leads",
    async run({ tool, must }) {
      const filter = ["or.eq.email.info1@example1.de", "or.eq.email.info2@example2.de"]
      const { leads } = await tool("list_leads", { filter, fields: ["*"] })
      must(
        leads.length === 2 && leads.every(({ attributes }: Any) => attributes.employees > 0),
        "both, whole",
      )
    },
  },
  {
    name: "a key that may only read",
    async run({ tool, must }) {
      const { role, key } = await tool("create_api_key", { name: "Report", role: "viewer" })
      must(role === "viewer" && key.startsWith("ldb_"), "a viewer's key")
    },
  },
  {
    name: "what is left of the plan",
    async run({ tool, must }) {
      const { plan, requests } = await tool("get_stats")
      must(plan.leads_used === LEADS + 2 && "left" in requests, "leads and requests")
    },
  },
]
