// Leads as they are written, under the lock of their account: the only place that touches a lead's tables.
import { AppError } from "../../../core/errors.ts"
import { type LeadData, laterOf } from "../../../core/lead.ts"
import type { LeadReads, LeadRow, LeadWrites } from "../../contract/store.ts"
import { textsDiffer } from "../../shared/lead-texts.ts"
import { doneText, SingleLead, type SingleRow } from "../../shared/stored-lead.ts"
import { wordsDiffer } from "../../shared/words-differ.ts"
import { queueChanged, queueMade, queueRemoved } from "../duplicates/queue.ts"
import { insertTexts, removeTexts, replaceTexts } from "../search/texts.ts"
import { insertWords, removeWords, replaceWords } from "../search/words.ts"
import type { AccountState, Tx } from "../writes/transaction.ts"
import { contacted } from "./activity.ts"
import { findCandidates } from "./candidates.ts"
import { LEAD } from "./documents.ts"
import { foreseen } from "./foreseen.ts"
import { isWritten, knownOf, note, remember, textsOf, touch, UNIQUE, uniqueKey, uniqueOf } from "./known.ts"
import { insertRows, removeRows, replaceRows } from "./rows.ts"

const TAKEN = {
  email: "SELECT rid FROM leads WHERE account_id = $1 AND md5(email) = md5($2) AND email = $2",
  source_id:
    "SELECT rid FROM leads WHERE account_id = $1 AND md5(source_id_exact) = md5($2) AND source_id_exact = $2",
}

/** The row of a lead, and what was done with it, as keys of what is put off: both may be put off side by side. */
const rowOf = (account: number, ref: number) => `${account} row ${ref}`
const contactOf = (account: number, ref: number) => `${account} contact ${ref}`
const bothOf = (account: number, ref: number) => [rowOf(account, ref), contactOf(account, ref)]

const NOTE_BYTES =
  "SELECT coalesce(sum(octet_length(content)), 0)::bigint AS n FROM notes WHERE account_id = $1 AND lead_rid = $2"

/** Writes, and the reads of `reads` that know of them. */
export function leadWrites(
  tx: Tx,
  reads: Pick<LeadReads, "find">,
): LeadWrites & Pick<LeadReads, "find" | "readAhead" | "findDuplicates"> {
  /** Throws `conflict` when another lead has the email or source_id. */
  async function refuseTaken(
    account: number,
    lead: LeadData,
    before?: LeadData,
    own?: number,
  ): Promise<void> {
    const { absent, written } = knownOf(await tx.account(account))
    const [now, old] = [uniqueOf(lead), before && uniqueOf(before)]
    for (const kind of UNIQUE) {
      const value = now[kind]
      if (value === null || value === old?.[kind]) continue
      const key = uniqueKey(kind, value)
      if (absent.has(key) && !written.has(key)) continue
      const taken = await tx.get<{ rid: number }>(TAKEN[kind], [account, value])
      if (taken && taken.rid !== own) throw new AppError("conflict", `Duplicate ${kind}`)
    }
  }

  async function noteBytes(account: number, ref: number): Promise<number> {
    const row = await tx.get<{ n: number }>(NOTE_BYTES, [account, ref])
    return row?.n ?? 0
  }

  return {
    async readAhead(account, ids) {
      const { ahead, aheadIds } = knownOf(await tx.account(account))
      const rows = await tx.all<SingleRow & { id: string }>(
        `SELECT l.id, ${LEAD} FROM leads l JOIN lead_scores s ON s.account_id = l.account_id AND s.rid = l.rid
         WHERE l.account_id = $1 AND l.id = ANY ($2::text[])`,
        [account, ids],
      )
      ahead.clear()
      aheadIds.clear()
      for (const { id, ...row } of rows) {
        ahead.set(id, SingleLead.of(row))
        aheadIds.set(row.ref, id)
      }
    },
    async find(account, id) {
      const state = tx.held(account)
      return (state && knownOf(state).ahead.get(id)) ?? reads.find(account, id)
    },
    async findDuplicates(account, pushed) {
      const state = await tx.account(account)
      const known = knownOf(state)
      const { made } = known
      // Rows that are put off need not be written for those that they do not concern.
      const repeats = made.size > 0 && pushed.some((keys) => textsOf(keys).some((text) => made.has(text)))
      const before = repeats ? undefined : foreseen(state, pushed)
      let found = before ?? (await findCandidates(repeats ? tx : tx.sent, account, pushed))
      if (!repeats && found.some((one) => isWritten(known, one)))
        found = await findCandidates(tx, account, pushed)
      for (const [i, keys] of pushed.entries()) remember(known, keys, found[i]!)
      return found
    },
    async insert(account, lead, score) {
      await refuseTaken(account, lead)
      const state = await tx.account(account)
      const text = JSON.stringify(lead)
      state.lead_head++
      const ref = state.lead_head
      tx.separate(...bothOf(account, ref))
      note(knownOf(state), lead, ref)
      const columns = insertRows(tx, account, ref, lead, {
        ...{ text, score, version: 1, defaultCountry: state.default_country },
      })
      for (const key of textsOf(columns)) knownOf(state).made.add(key)
      insertWords(tx, account, ref, lead)
      insertTexts(tx, account, ref, lead)
      queueMade(tx, account, ref)
      state.lead_count++
      state.stored_bytes += Buffer.byteLength(text)
      return SingleLead.of({ ref, text, done: null, score, version: 1 })
    },
    async replace(account, row, before, after, score) {
      const { ref, version } = row
      await refuseTaken(account, after, before, ref)
      const state = await tx.account(account)
      const text = JSON.stringify(after)
      note(knownOf(state), before, ref)
      note(knownOf(state), after, ref)
      touch(state, ref)
      tx.separate(rowOf(account, ref))
      const keys = replaceRows(tx, account, ref, before, after, {
        ...{ text, score, defaultCountry: state.default_country },
      })
      for (const key of keys.flatMap(textsOf)) knownOf(state).made.add(key)
      if (wordsDiffer(before, after)) replaceWords(tx, account, ref, after)
      if (textsDiffer(before, after)) replaceTexts(tx, account, ref, after)
      queueChanged(tx, account, ref, before, after)
      addBytes(state, Buffer.byteLength(text) - bytesOf(row))
      return SingleLead.of({ ref, text, done: doneText(row.activity), score, version: version + 1 })
    },
    async remove(account, row, lead) {
      const { ref } = row
      const state = await tx.account(account)
      const bytes = row.activity.note_count === 0 ? 0 : await noteBytes(account, ref)
      note(knownOf(state), lead, ref)
      touch(state, ref)
      tx.separate(...bothOf(account, ref))
      const keys = removeRows(tx, account, ref, lead, state.default_country)
      for (const key of textsOf(keys)) knownOf(state).made.add(key)
      removeWords(tx, account, ref)
      removeTexts(tx, account, ref)
      queueRemoved(tx, account, ref, lead)
      state.lead_count--
      addBytes(state, -bytesOf(row) - bytes)
    },
    async contactOf(account, { ref }) {
      const text = "SELECT contacted_at AS at FROM leads WHERE account_id = $1 AND rid = $2"
      return (await tx.get<{ at: number | null }>(text, [account, ref]))?.at ?? null
    },
    async setContacted(account, row, at) {
      const { ref, score, version } = row
      const state = await tx.account(account)
      note(knownOf(state), row.data(), ref)
      touch(state, ref)
      tx.separate(contactOf(account, ref))
      contacted(tx, account, ref, at)
      const last_contacted_at = laterOf(at, row.activity.last_note_at)
      const done = doneText({ ...row.activity, last_contacted_at })
      return SingleLead.of({ ref, text: textOf(row), done, score, version: version + 1 })
    },
    async setScore(account, ref, version, score) {
      const state = tx.held(account)
      if (state) touch(state, ref)
      return (await tx.run(SET_SCORE, [account, ref, version, score])) > 0
    },
  }
}

export const SET_SCORE =
  "UPDATE lead_scores SET score = $4, version = version + 1 WHERE account_id = $1 AND rid = $2 AND version = $3"

export function addBytes(state: AccountState, bytes: number): void {
  state.stored_bytes = Math.max(0, state.stored_bytes + bytes)
}

const textOf = (row: LeadRow) => (row instanceof SingleLead ? row.text : JSON.stringify(row.data()))

/** Bytes of a stored lead's document, what is kept beside it left out. */
const bytesOf = (row: LeadRow) => Buffer.byteLength(textOf(row))
