// Companies: firms that leads have in common, merged and corrected by hand.

import * as v from "valibot"
import type { Account } from "../../../access/rights.ts"
import type { Condition } from "../../../filters/lead-query.ts"
import { described, named } from "../../../lead/described.ts"
import { Id, Line, whole } from "../../../lead/fields.ts"
import { LEAD_FIELDS } from "../../../lead/lead-fields.ts"
import { firmDomain } from "../../../matching/matcher/index.ts"
import { AppError, badRequest, notFound } from "../../../runtime/errors.ts"
import type {
  CompanyCount,
  CompanyDetails,
  CompanyReads,
  MatchedLead,
} from "../../../store/contract/store.ts"
import { JsonText } from "../../../text/json-text.ts"
import { excerpt, fold } from "../../../text/text.ts"
import { inBatch } from "../../batch.ts"
import { BATCH_ID, EARLIER, exampleLead, JOB_ID, NOW } from "../../examples.ts"
import { workAnswer } from "../../job-kind.ts"
import {
  askAtOnce,
  type Context,
  operation,
  ownContext,
  question,
  type ReadContext,
  type Services,
} from "../../operation.ts"
import { MERGE_COMPANY } from "../bulk/actions.ts"
import { workThrough } from "../bulk/bulk.ts"
import { getLeadRow } from "../lead-operations.ts"
import { examplePage, PAGE, pageEntries, pageInput, paging } from "../list/cursor.ts"
import { LeadOutput } from "../list/lead-output.ts"
import { idsOf } from "../list/whole.ts"
import { companyMerges, companyMergesAt, companyOf } from "../write/account-settings.ts"
import { replaceLead, rewriteLead } from "../write/write.ts"

const IDS_MAX = 200
const MERGED_MAX = 50
/** Where a search finds a company. */
const NAMED_BY = ["company", "name", "website", "email"] as const
/** Companies that a search looks at for each that it lists before it asks the indexes: a common text is found among so many. */
const forEach = (q: string) => (q.length < INDEXED ? 100 : 25)
/** Letters of a text from which an index finds it. */
const INDEXED = 3
/** Further ones are listed in pages of so many; texts are looked for in so many at once. */
const FURTHER = 25_000
const AT_ONCE = 250

const Ids = v.pipe(
  v.string("must be text"),
  v.transform((text) => text.split(",").map((id) => id.trim())),
  v.maxLength(IDS_MAX, `must hold at most ${IDS_MAX} ids`),
)

const entries = {
  id: v.string(),
  name: v.string(),
  domain: v.nullable(v.string()),
  leads: whole(0),
  last_touched_at: whole(0),
  next_step_at: v.nullable(whole(0)),
  contactable: v.boolean(),
}
const words = {
  name: "As its leads name it.",
  domain: "Of its website or emails; null for one that is known by its name and city.",
  leads: "How many leads are of it.",
  last_touched_at: "When one of them was touched last, in Unix seconds.",
  next_step_at: "When the first of their next steps is due, in Unix seconds.",
  contactable: "Whether one of them at least is not on the do-not-contact list.",
}
const CompanyOutput = named("Company", v.strictObject(entries), words)
type CompanyOutput = v.InferOutput<typeof CompanyOutput>

const example = {
  ...{ id: LEAD_FIELDS.company_id.example, name: "Da Nino GmbH", domain: "danino.example", leads: 3 },
  ...{ last_touched_at: EARLIER, next_step_at: NOW, contactable: true },
}

interface CompaniesAsked {
  q: string | undefined
  after: CompanyCount | undefined
  limit: number
  /** These alone. */
  ids: readonly string[] | undefined
}

export const companiesQuestion = question({
  name: "companies",
  async run(ctx, query: CompaniesAsked) {
    const { read } = ctx.store
    const account = ctx.caller.account.key
    if (query.ids) {
      const page = query.ids.map((id) => ({ id, leads: 0 }))
      return { page, companies: await companiesOf(ctx, page), hasMore: false }
    }
    const asked = { ids: undefined, after: query.after, limit: query.limit + 1 }
    const asPage =
      query.q === undefined
        ? await read.companies.page(account, asked)
        : await companiesWith(ctx, query.q, asked)
    const page = asPage.slice(0, query.limit)
    return { page, companies: await companiesOf(ctx, page), hasMore: asPage.length > page.length }
  },
})

type PageAsked = Parameters<CompanyReads["page"]>[1]

/** A page of the companies that a text finds: of a common one among the first, of any other by what indexes give. */
async function companiesWith(ctx: ReadContext, q: string, asked: PageAsked): Promise<CompanyCount[]> {
  const { companies } = ctx.store.read
  const account = ctx.caller.account.key
  const counts: CompanyCount[] = []
  let after = asked.after
  const first = forEach(q) * asked.limit
  for (let limit = first; ; limit = FURTHER) {
    const some = await companies.page(account, { ids: undefined, after, limit })
    for (let at = 0; at < some.length && counts.length < asked.limit; at += AT_ONCE) {
      const together = some.slice(at, at + AT_ONCE)
      const ids = together.map(({ id }) => id)
      const having = await companies.having(account, ids, NAMED_BY, q)
      counts.push(...together.filter(({ id }) => having.has(id)))
    }
    if (counts.length >= asked.limit || some.length < limit) return counts.slice(0, asked.limit)
    const ids = limit === first ? await idsWith(ctx, q) : undefined
    if (ids) return companies.page(account, { ...asked, ids })
    after = some.at(-1)
  }
}

/** Ids of the companies that a text finds, by the index of texts; undefined for more than can be listed. */
async function idsWith(ctx: ReadContext, q: string): Promise<string[] | undefined> {
  const any = NAMED_BY.map((field): Condition => {
    return { on: "text", not: false, field, operator: "contains", values: [q] }
  })
  const key = { on: "text", field: "company_id" } as const
  try {
    const groups = await ctx.store.read.leads.groups(ctx.caller.account.key, { all: [], any }, [key], [])
    return groups.flatMap(({ values: [id] }) => (typeof id === "string" ? id : []))
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.kind === "too_many_groups") return undefined
    throw thrown
  }
}

/** The companies, in this order. */
async function companiesOf(ctx: ReadContext, page: readonly CompanyCount[]): Promise<CompanyOutput[]> {
  if (page.length === 0) return []
  const { companies, matching } = ctx.store.read
  const account = ctx.caller.account.key
  const ids = page.map(({ id }) => id)
  const details = new Map((await companies.details(account, ids)).map((one) => [one.id, one]))
  const refs = new Set([...details.values()].flatMap(({ first, named }) => [first, named ?? first]))
  const leads = new Map((await matching.leads(account, [...refs])).map(({ ref, lead }) => [ref, lead]))
  return ids.flatMap((id) => {
    const company = details.get(id)
    return company ? companyFrom(company, leads) : []
  })
}

/** A firm is called as its oldest lead that names one calls it, else as its only lead or its domain. */
function companyFrom(
  { first, named, ...company }: CompanyDetails,
  leads: ReadonlyMap<number, MatchedLead>,
): CompanyOutput {
  const lead = leads.get(first)
  const naming = named === null ? undefined : leads.get(named)
  const domain = (lead && firmDomain(lead)) ?? (naming && firmDomain(naming)) ?? null
  const alone = company.leads === 1 || domain === null ? lead?.name : domain
  const { id, last_touched_at, next_step_at, contactable } = company
  const name = naming?.company ?? alone ?? ""
  return { id, name, domain, leads: company.leads, last_touched_at, next_step_at, contactable }
}

export const listCompanies = operation({
  name: "list_companies",
  about: "List the companies that leads are of, those with the most leads first",
  tag: "Companies",
  note: "Leads are of one company by the domain of their website or email, unless anybody may have an address there, else by their `company` and `city`. `filter=and.eq.company_id.ID` lists the leads of one.",
  example: { answers: { 200: examplePage("companies", example) } },
  access: "read",
  http: "GET /companies",
  tool: {
    set: "companies",
    words: {
      q: "Part of its name or domain",
      ids: "Only these",
      limit: "How many at most, 1-200",
      cursor: "next_cursor",
    },
  },
  input: described(v.strictObject({ q: v.optional(Line), ids: v.optional(Ids), ...pageInput(200, PAGE) }), {
    q: "In the name, company, website or email of a lead of it.",
    ids: "Only these companies, with commas between their ids, at most 200.",
    limit: "Companies per page.",
    cursor: "`next_cursor` of the page before.",
  }),
  output: described(v.strictObject({ companies: v.array(CompanyOutput), ...pageEntries }), {
    companies: "Those with the most leads first.",
    next_cursor: "Of the next page; null at the end.",
    has_more: "Whether there is a next page.",
    count: "Companies in this answer.",
  }),
  async run(ctx, { q, ids, limit, cursor }) {
    const sought = q ? fold(q) : undefined
    const scope = { account: ctx.caller.account.key, sort: "companies", filters: sought ? [sought] : [] }
    const { after: text, rest } = paging(ctx, scope, cursor)
    const after = text === undefined ? undefined : JSON.parse(text)
    const asked = { q: sought, ids, after, limit }
    const { page, companies, hasMore } = await askAtOnce(ctx, companiesQuestion, asked)
    return { companies, ...rest(hasMore ? JSON.stringify(page.at(-1)) : undefined, companies.length) }
  },
})

export const getCompany = operation({
  name: "get_company",
  about: "Get one company: its name, domain, leads, and what is next",
  tag: "Companies",
  note: "The id of a company that was merged is that of the one it is now.",
  example: { answers: { 200: example } },
  access: "read",
  http: "GET /companies/:id",
  tool: { set: "companies", words: { id: "Company id, from list_companies" } },
  output: CompanyOutput,
  run: (ctx, { id }) => companyWithId(ctx, id),
})

async function companyWithId(ctx: Context, id: string): Promise<CompanyOutput> {
  const company = await findCompany(ctx, id)
  if (!company) throw notFound("Company")
  return company
}

async function findCompany(ctx: Context, asked: string): Promise<CompanyOutput | undefined> {
  const merges = await companyMerges(ctx.store.read.companies, ctx.caller.account.key)
  const id = merges.get(asked) ?? asked
  return (await companiesOf(ctx, [{ id, leads: 0 }]))[0]
}

const work = { batch_id: v.string(), job: v.optional(v.string()) }

export const mergeCompanies = operation({
  name: "merge_companies",
  about: "Make one company of several: their leads, also those to come, are of the first",
  tag: "Companies",
  note: "Up to 1,000 leads in the request, more as a job, each with its record in the trail.",
  example: {
    body: { ids: [example.id, "co_1c9e5b7702d4f6aa"] },
    answers: {
      200: { ...example, batch_id: BATCH_ID },
      202: { ...example, batch_id: BATCH_ID, job: JOB_ID },
    },
  },
  access: "write",
  http: "POST /companies/merge",
  tool: { set: "companies", words: { ids: "Company ids; the first stays" } },
  input: described(
    v.strictObject({
      ids: v.pipe(
        v.array(Id, "must be a list of company ids"),
        v.minLength(2, "must hold at least 2 company ids"),
        v.maxLength(MERGED_MAX, `must hold at most ${MERGED_MAX} company ids`),
      ),
    }),
    { ids: "Companies; the first is the one that stays." },
  ),
  output: named("MergedCompany", v.strictObject({ ...entries, ...work }), {
    ...words,
    batch_id: "The batch of the leads' changes, for `POST /changes/revert`, which parts the companies again.",
    job: "Id of the job that changes them: see `GET /jobs/{id}`.",
  }),
  otherStatuses: [202],
  async run(ctx, { ids: asked }) {
    const ids: string[] = []
    for (const id of asked) {
      const company = await findCompany(ctx, id)
      if (!company) throw badRequest(`ids: no lead is of the company "${excerpt(id)}"`)
      if (!ids.includes(company.id)) ids.push(company.id)
    }
    const [into, ...others] = ids as [string, ...string[]]
    if (others.length === 0) throw badRequest("ids must name at least two companies")
    const account = ctx.caller.account.key
    await ctx.store.write(account, async (tx) => {
      for (const id of others) await tx.companies.merge(account, id, into)
    })
    const leads = await idsOf(ctx, { filter: [`and.in.company_id.${others.join(",")}`] })
    const data = { into, from: others }
    const { batch_id, job } = await workThrough(ctx, { action: MERGE_COMPANY, data, ids: leads })
    return workAnswer({ ...(await companyWithId(ctx, into)), batch_id, job })
  },
})

export const setLeadCompany = operation({
  name: "set_lead_company",
  about: "Put a lead into another company, or take it out of any",
  tag: "Companies",
  note: "It stays so whatever becomes of the lead's website, email and company.",
  example: {
    body: { company_id: example.id },
    answers: { 200: { ...exampleLead, company_id: example.id } },
  },
  access: "write",
  http: "POST /leads/:id/company",
  tool: {
    set: "companies",
    words: { id: "Lead id, from list_leads", company_id: "From list_companies; null is none" },
  },
  input: described(v.strictObject({ id: Id, company_id: v.nullable(Id) }), {
    company_id: "The company's id; null takes the lead out.",
  }),
  output: LeadOutput,
  async run(ctx, { id, company_id: asked }) {
    const company = asked === null ? undefined : await findCompany(ctx, asked)
    if (asked !== null && !company)
      throw badRequest(`company_id: no lead is of the company "${excerpt(asked)}"`)
    const row = await ctx.store.write(ctx.caller.account.key, async (tx) => {
      const leadRow = await getLeadRow(ctx, tx.leads, id)
      const before = leadRow.data()
      const after = { ...before, company_id: company?.id ?? null }
      if (after.company_id === before.company_id) return leadRow
      const update = { row: leadRow, before, after, cause: { action: "updated" } } as const
      return replaceLead(ctx, tx, update)
    })
    return new JsonText(row.json())
  },
})

// Finds out the companies of leads that were stored before there were any.

/** Leads that one transaction changes. */
const WRITTEN = 50
const ACTOR = "companies"

/** Gives the account's next leads their companies; neither the trail nor an event tells of it. True where there may be more. */
export async function findNextCompanies(services: Services, account: Account): Promise<boolean> {
  const { store } = services
  const { key } = account
  const from = await store.read.companies.doneUpTo(key)
  if (from === null) return false
  const ctx = inBatch(ownContext(services, account, ACTOR))
  const ids = await store.read.companies.without(key, from, WRITTEN)
  await store.write(key, async (tx) => {
    const merges = await companyMergesAt(ctx, tx, await tx.rules.revision(key))
    for (const id of ids) {
      const row = await tx.leads.find(key, id)
      const before = row?.data()
      if (!row || !before || before.company_id !== null) continue
      const after = { ...before, company_id: companyOf(before, merges) }
      if (after.company_id === null) continue
      await rewriteLead(ctx, tx, { row, before, after, cause: null, checked: "all" })
    }
    await tx.companies.setDoneUpTo(key, ids.length < WRITTEN ? null : ids.at(-1)!)
  })
  return ids.length === WRITTEN
}
