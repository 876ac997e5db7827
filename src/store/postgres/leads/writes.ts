// Leads as they are written, under the lock of their account: the only place that touches a lead's own tables. Those that
// are derived from leads are kept in step by projections.

import { emailKey } from "../../../lead/contacts.ts"
import { type LeadData, laterOf } from "../../../lead/lead.ts"
import {
  changedKeys,
  dedupKeys,
  eachKey,
  furtherKeys,
  keysFor,
  type LeadKeys,
} from "../../../lead/lead-keys.ts"
import { AppError } from "../../../runtime/errors.ts"
import type { Candidates, LeadReads, LeadRow, LeadWrites } from "../../contract/store.ts"
import { documentText, type LeadChange } from "../../sql/schema/lead-rows.ts"
import { ACTIVITY_BYTES } from "../../tables/activities.ts"
import { contactOf } from "../../tables/leads/activity.ts"
import type { PendingLeads } from "../../tables/leads/pending-leads.ts"
import { doneText, SingleLead, type SingleRow } from "../../tables/leads/stored-lead.ts"
import { LEAD } from "../statements/documents.ts"
import type { Tx } from "../writes/transaction.ts"
import { contacted } from "./activity.ts"
import { findCandidates } from "./candidates.ts"
import { pendingLeadsOf } from "./prefetch.ts"
import { leadProjections } from "./projections.ts"
import { insertRows, removeRows, replaceRows } from "./rows.ts"

const TAKEN = {
  email: "SELECT rid FROM leads WHERE account_id = $1 AND md5(email) = md5($2) AND email = $2",
  source_id:
    "SELECT rid FROM leads WHERE account_id = $1 AND md5(source_id_exact) = md5($2) AND source_id_exact = $2",
}

/** The row of a lead, and what was done with it, as keys of what is put off: both may be put off side by side. */
const rowOf = (account: number, ref: number) => `${account} row ${ref}`
const contactKey = (account: number, ref: number) => `${account} contact ${ref}`
const bothOf = (account: number, ref: number) => [rowOf(account, ref), contactKey(account, ref)]

const NOTE_BYTES =
  "SELECT coalesce(sum(octet_length(content)), 0)::bigint AS n FROM notes WHERE account_id = $1 AND lead_rid = $2"

const TAKEN_FURTHER = `SELECT l.rid FROM leads l JOIN unnest($3::text[]) e (email) ON md5(l.email) = md5(e.email) AND l.email = e.email
    WHERE l.account_id = $1 AND l.rid <> $2
  UNION ALL SELECT c.rid FROM lead_contacts c JOIN unnest($4::text[]) e (email) ON left(c.text, 400) = left(e.email, 400) AND c.text = e.email
    WHERE c.account_id = $1 AND c.kind = 'email' AND c.rid <> $2 LIMIT 1`

const TAKEN_KINDS = ["email", "source_id"] as const

/** Writes, and the reads of `reads` that know of them. */
export function leadWrites(
  tx: Tx,
  reads: Pick<LeadReads, "find">,
): LeadWrites & Pick<LeadReads, "find" | "readAhead" | "findDuplicates"> {
  const projections = leadProjections(tx)

  /** The locked row of an account, and what is known of its leads. */
  async function heldState(account: number) {
    const state = await tx.account(account)
    return { state, known: pendingLeadsOf(state) }
  }

  /** Throws `conflict` when another lead has one of these keys, unless the lead had it `before`. */
  async function refuseTaken(account: number, keys: UniqueKeys, before?: UniqueKeys): Promise<void> {
    const { known } = await heldState(account)
    for (const kind of TAKEN_KINDS) {
      const value = keys[kind]
      if (value === null || value === before?.[kind] || known.isAbsent(kind, value)) continue
      const taken = await tx.get<{ rid: number }>(TAKEN[kind], [account, value])
      if (taken && taken.rid !== before?.ref) throw new AppError("conflict", `Duplicate ${kind}`)
    }
  }

  /** Throws `conflict` for an email of the lead that another has, one of the two besides its first. */
  async function refuseTakenFurther(account: number, ref: number, lead: LeadData, before?: LeadData) {
    const further = lead.emails?.slice(1).flatMap(({ value }) => emailKey(value) ?? []) ?? []
    const first = lead.email === null || lead.email === before?.email ? null : emailKey(lead.email)
    if (further.length === 0 && first === null) return
    const all = first === null ? further : [first, ...further]
    const taken = await tx.get(TAKEN_FURTHER, [account, ref, further, all])
    if (taken) throw new AppError("conflict", "Duplicate email")
  }

  async function bytesBeside(account: number, { ref, activity }: LeadRow): Promise<number> {
    let bytes = 0
    for (const [text, isAsked] of [
      [NOTE_BYTES, activity.note_count > 0],
      [ACTIVITY_BYTES, activity.last_contacted_at !== null],
    ] as const)
      if (isAsked) bytes += (await tx.get<{ n: number }>(text, [account, ref]))?.n ?? 0
    return bytes
  }

  /** Leads that are written need not be sent for those that have none of their keys. */
  async function candidatesNow(
    account: number,
    all: readonly LeadKeys[],
    known: PendingLeads,
  ): Promise<Candidates[]> {
    if (all.some(known.isDirty)) return findCandidates(tx, account, all)
    const candidates = await findCandidates(tx.sent, account, all)
    return candidates.some(known.areDirty) ? findCandidates(tx, account, all) : candidates
  }

  function apply(change: LeadChange): void {
    for (const projection of projections) projection(change)
  }

  return {
    async readAhead(account, ids) {
      const { known } = await heldState(account)
      const rows = await tx.all<SingleRow & { id: string }>(
        `SELECT l.id, ${LEAD} FROM leads l JOIN lead_scores s ON s.account_id = l.account_id AND s.rid = l.rid
         WHERE l.account_id = $1 AND l.id = ANY ($2::text[])`,
        [account, ids],
      )
      known.putRows(new Map(rows.map(({ id, ...row }) => [id, SingleLead.of(row)])))
    },
    async find(account, id) {
      const state = tx.held(account)
      return (state && pendingLeadsOf(state).findRow(id)) ?? reads.find(account, id)
    },
    async prefetchDuplicates(account, all) {
      const { known } = await heldState(account)
      known.putAll(all, await candidatesNow(account, all, known))
    },
    async findDuplicates(account, all) {
      const { known } = await heldState(account)
      const pending = all.flatMap((keys) => known.find(keys) ?? [])
      if (pending.length === all.length) return pending
      const candidates = await candidatesNow(account, all, known)
      for (const [i, keys] of all.entries()) known.putAbsent(keys, candidates[i]!)
      return candidates
    },
    async insert(account, lead, score, given) {
      const { state, known } = await heldState(account)
      const keys = keysFor(lead, state.default_country, given)
      await refuseTaken(account, keys)
      if (given === undefined || lead.emails) await refuseTakenFurther(account, 0, lead)
      const text = documentText(lead)
      state.lead_head++
      const ref = state.lead_head
      tx.separate(...bothOf(account, ref))
      known.invalidate(ref, [keys, ...eachKey(furtherKeys(lead, state.default_country))])
      insertRows(tx, account, ref, lead, { keys, text, score, version: 1 })
      apply({ account, ref, before: undefined, after: lead, bytes: Buffer.byteLength(text) })
      return SingleLead.of({ ref, text, done: null, score, version: 1 })
    },
    async replace(account, row, before, after, score) {
      const { ref, version } = row
      await refuseTaken(account, uniqueOf(after), { ...uniqueOf(before), ref })
      if (after.emails || after.email !== before.email) await refuseTakenFurther(account, ref, after, before)
      const { state, known } = await heldState(account)
      const { default_country: defaultCountry } = state
      const text = documentText(after)
      known.invalidate(ref, changedKeys(before, after, defaultCountry))
      tx.separate(rowOf(account, ref))
      replaceRows(tx, account, ref, before, after, { text, score, defaultCountry })
      apply({ account, ref, before, after, bytes: Buffer.byteLength(text) - bytesOf(row) })
      return SingleLead.of({ ref, text, done: doneText(row.activity), score, version: version + 1 })
    },
    async remove(account, row, lead) {
      const { ref } = row
      const { state, known } = await heldState(account)
      const bytes = bytesOf(row) + (await bytesBeside(account, row))
      known.invalidate(ref, [
        dedupKeys(lead, state.default_country),
        ...eachKey(furtherKeys(lead, state.default_country)),
      ])
      tx.separate(...bothOf(account, ref))
      apply({ account, ref, before: lead, after: undefined, bytes: -bytes })
      removeRows(tx, account, ref)
    },
    contactOf: (account, { ref }) => contactOf(tx, account, ref),
    async setContacted(account, row, at) {
      const { ref, score, version } = row
      const { known } = await heldState(account)
      known.invalidate(ref)
      tx.separate(contactKey(account, ref))
      contacted(tx, account, ref, at)
      const last_contacted_at = laterOf(at, row.activity.last_contacted_at)
      const done = doneText({ ...row.activity, last_contacted_at })
      return SingleLead.of({ ref, text: textOf(row), done, score, version: version + 1 })
    },
    async setScore(account, ref, version, score) {
      const state = tx.held(account)
      if (state) pendingLeadsOf(state).invalidate(ref)
      return (await tx.run(SET_SCORE, [account, ref, version, score])) > 0
    },
  }
}

const SET_SCORE =
  "UPDATE lead_scores SET score = $4, version = version + 1 WHERE account_id = $1 AND rid = $2 AND version = $3"

interface UniqueKeys {
  email: string | null
  source_id: string | null
  /** Of the lead that has them. */
  ref?: number
}

const uniqueOf = ({ email, source_id }: LeadData): UniqueKeys => ({
  email: email === null ? null : emailKey(email),
  source_id,
})

const textOf = (row: LeadRow) => (row instanceof SingleLead ? row.text : documentText(row.data()))

/** Bytes of a stored lead's document, what is kept beside it left out. */
const bytesOf = (row: LeadRow) => Buffer.byteLength(textOf(row))
