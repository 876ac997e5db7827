// Leads as they are written, under the lock of their account: the only place that touches a lead's tables.
import { AppError } from "../../../core/errors.ts"
import { type LeadData, laterOf } from "../../../core/lead.ts"
import { fold } from "../../../core/text.ts"
import { doneText, SingleLead } from "../../shared/stored-lead.ts"
import { wordsDiffer } from "../../shared/words-differ.ts"
import type { Candidates, LeadReads, LeadRow, LeadWrites, PushedKeys } from "../../store.ts"
import { queueChanged, queueMade, queueRemoved } from "../duplicates/queue.ts"
import { insertWords, removeWords, replaceWords } from "../search/words.ts"
import type { AccountState, Tx } from "../writes/transaction.ts"
import { contacted } from "./activity.ts"
import { findCandidates } from "./candidates.ts"
import { insertRows, removeRows, replaceRows } from "./rows.ts"

/** What a transaction knows of the keys of leads: others cannot change any while it holds the account. */
interface Known {
  /** Emails and source_ids that no lead had when they were looked for. */
  absent: Set<string>
  /** Keys that the transaction has written, and refs of leads: what was found before may be otherwise now. */
  written: Set<string | number>
  /** By what leads may be repeated that the transaction has made: their rows may still be put off. */
  made: Set<string>
}

const known = new WeakMap<AccountState, Known>()

function knownOf(state: AccountState): Known {
  let found = known.get(state)
  if (!found) {
    found = { absent: new Set(), written: new Set(), made: new Set() }
    known.set(state, found)
  }
  return found
}

type Unique = "email" | "source_id"
const UNIQUE: readonly Unique[] = ["email", "source_id"]
const keyOf = (kind: Unique, value: string) => `${kind}:${value}`

function uniqueOf(lead: LeadData): Record<Unique, string | null> {
  return { email: lead.email === null ? null : fold(lead.email), source_id: lead.source_id }
}

const TAKEN = {
  email: "SELECT rid FROM leads WHERE account_id = $1 AND md5(email) = md5($2) AND email = $2",
  source_id:
    "SELECT rid FROM leads WHERE account_id = $1 AND md5(source_id_exact) = md5($2) AND source_id_exact = $2",
}

export function leadWrites(tx: Tx): LeadWrites & Pick<LeadReads, "findDuplicates"> {
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
      const key = keyOf(kind, value)
      if (absent.has(key) && !written.has(key)) continue
      const taken = await tx.get<{ rid: number }>(TAKEN[kind], [account, value])
      if (taken && taken.rid !== own) throw new AppError("conflict", `Duplicate ${kind}`)
    }
  }

  function note({ written }: Known, lead: LeadData, ref: number): void {
    written.add(ref)
    const unique = uniqueOf(lead)
    for (const kind of UNIQUE) if (unique[kind] !== null) written.add(keyOf(kind, unique[kind]))
  }

  return {
    async findDuplicates(account, pushed) {
      const { absent, made } = knownOf(await tx.account(account))
      // Rows that are put off need not be written for those that they do not concern.
      const repeats = made.size > 0 && pushed.some((keys) => textsOf(keys).some((text) => made.has(text)))
      const found = await findCandidates(repeats ? tx : tx.sent, account, pushed)
      for (const [i, keys] of pushed.entries()) remember(absent, keys, found[i]!)
      return found
    },
    async insert(account, lead, score) {
      await refuseTaken(account, lead)
      const state = await tx.account(account)
      const text = JSON.stringify(lead)
      state.lead_head++
      const ref = state.lead_head
      note(knownOf(state), lead, ref)
      const columns = insertRows(tx, account, ref, lead, {
        ...{ text, score, version: 1, defaultCountry: state.default_country },
      })
      for (const key of textsOf(columns)) knownOf(state).made.add(key)
      insertWords(tx, account, ref, lead)
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
      replaceRows(tx, account, ref, before, after, { text, score, defaultCountry: state.default_country })
      if (wordsDiffer(before, after)) replaceWords(tx, account, ref, after)
      queueChanged(tx, account, ref, before, after)
      addBytes(state, Buffer.byteLength(text) - bytesOf(row))
      return SingleLead.of({ ref, text, done: doneText(row.activity), score, version: version + 1 })
    },
    async remove(account, row, lead) {
      const { ref } = row
      const state = await tx.account(account)
      const notes = await tx.get<{ n: number }>(
        "SELECT coalesce(sum(octet_length(content)), 0)::bigint AS n FROM notes WHERE account_id = $1 AND lead_rid = $2",
        [account, ref],
      )
      note(knownOf(state), lead, ref)
      removeRows(tx, account, ref, lead)
      removeWords(tx, account, ref)
      queueRemoved(tx, account, ref, lead)
      state.lead_count--
      addBytes(state, -bytesOf(row) - (notes?.n ?? 0))
    },
    async contactOf(account, { ref }) {
      const text = "SELECT contacted_at AS at FROM leads WHERE account_id = $1 AND rid = $2"
      return (await tx.get<{ at: number | null }>(text, [account, ref]))?.at ?? null
    },
    async setContacted(account, row, at) {
      const { ref, score, version } = row
      note(knownOf(await tx.account(account)), row.data(), ref)
      contacted(tx, account, ref, at)
      const last_contacted_at = laterOf(at, row.activity.last_note_at)
      const done = doneText({ ...row.activity, last_contacted_at })
      return SingleLead.of({ ref, text: textOf(row), done, score, version: version + 1 })
    },
    async setScore(account, ref, version, score) {
      return (await tx.run(SET_SCORE, [account, ref, version, score])) > 0
    },
  }
}

/** Each thing that a lead is recognised by, as a text of its own. */
function textsOf({ email, source_id, phone, number, name, city }: PushedKeys): string[] {
  const all = [`e${email}`, `s${source_id}`, `p${phone}`, `t${number}`, `n${name}\0${city}`]
  const isThere = [email, source_id, phone, number, city]
  return all.filter((_, i) => isThere[i] !== null && isThere[i] !== "")
}

export const SET_SCORE =
  "UPDATE lead_scores SET score = $4, version = version + 1 WHERE account_id = $1 AND rid = $2 AND version = $3"

function remember(absent: Set<string>, keys: PushedKeys, found: Candidates): void {
  for (const kind of UNIQUE) {
    const value = keys[kind]
    if (value !== null && (!found[kind] || found.aliases[kind])) absent.add(keyOf(kind, value))
  }
}

export function addBytes(state: AccountState, bytes: number): void {
  state.stored_bytes = Math.max(0, state.stored_bytes + bytes)
}

const textOf = (row: LeadRow) => (row instanceof SingleLead ? row.text : JSON.stringify(row.data()))

/** Bytes of a stored lead's document, what is kept beside it left out. */
const bytesOf = (row: LeadRow) => Buffer.byteLength(textOf(row))
