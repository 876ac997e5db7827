// The tables that are derived from leads.

import type { AccountColumns, AccountValues } from "../../sql/account-columns.ts"
import { attributeChanges, contactChange, type Projection, tagChanges } from "../../sql/schema/lead-rows.ts"
import { matchedDiffer, matchedText } from "../../tables/leads/differ.ts"
import { wordIndex } from "../search/lead-words.ts"
import { textIndex } from "../search/texts.ts"
import { dropSink, LEAD_KEY, statementSink, tableSink } from "../writes/sinks.ts"
import type { AccountState, Tx } from "../writes/transaction.ts"

// Queues leads for the matcher in the transaction that changes them.
const made = tableSink("duplicate_queue", LEAD_KEY)
const noted = statementSink(
  { ...LEAD_KEY, before: "text" },
  (from) => `INSERT INTO duplicate_queue AS q (account_id, rid, before) SELECT r.* FROM ${from}
    ON CONFLICT (account_id, rid) DO UPDATE SET turn = q.turn + 1`,
)
const pairs = ["a", "b"].map((side) =>
  dropSink("duplicate_pairs", { account_id: "bigint", [side]: "bigint" }, "AND t.state < 2"),
)

function duplicateQueue(tx: Tx): Projection {
  return ({ account, ref, before, after }) => {
    if (!before) tx.defer(made, [account, ref])
    else if (!after || matchedDiffer(before, after)) tx.defer(noted, [account, ref, matchedText(before)])
    if (!after) for (const sink of pairs) tx.defer(sink, [account, ref])
  }
}

/** Each is called with every change of a lead whose account is locked, in this order. */
export function leadProjections(tx: Tx): readonly Projection[] {
  return [
    tags(tx),
    attributes(tx),
    contacts(tx),
    wordIndex(tx),
    textIndex(tx),
    duplicateQueue(tx),
    accountTotals(tx),
  ]
}

const TAG = { ...LEAD_KEY, tag: "text" }
const newTags = tableSink("lead_tags", TAG)
const droppedTags = dropSink("lead_tags", TAG)

function tags(tx: Tx): Projection {
  return (change) => {
    const changes = tagChanges(change)
    if (!changes) return
    const { account, ref } = change
    for (const tag of changes.dropped) tx.defer(droppedTags, [account, ref, tag])
    for (const tag of changes.added) tx.defer(newTags, [account, ref, tag])
  }
}

const newAttributes = tableSink("lead_attributes", {
  ...LEAD_KEY,
  name: "text",
  item: "int",
  type: "text",
  text: "text",
  number: "float8",
})
const droppedAttributes = dropSink("lead_attributes", { ...LEAD_KEY, name: "text" })

function attributes(tx: Tx): Projection {
  return (change) => {
    const changes = attributeChanges(change)
    if (!changes) return
    const { account, ref } = change
    for (const name of changes.dropped) tx.defer(droppedAttributes, [account, ref, name])
    for (const { name, item, type, text, number } of changes.added)
      tx.defer(newAttributes, [account, ref, name, item, type, text, number])
  }
}

const newContacts = tableSink("lead_contacts", {
  ...LEAD_KEY,
  kind: "text",
  item: "int",
  text: "text",
  key: "text",
  number: "text",
})
const droppedContacts = dropSink("lead_contacts", LEAD_KEY)

function contacts(tx: Tx): Projection {
  return (change) => {
    const { account, ref } = change
    const changed = contactChange(change, () => tx.held(account)?.default_country ?? null)
    if (!changed) return
    if (changed.had) tx.defer(droppedContacts, [account, ref])
    for (const { kind, item, text, key, number } of changed.rows)
      tx.defer(newContacts, [account, ref, kind, item, text, key, number])
  }
}

/** How many leads and bytes an account has. */
function accountTotals(tx: Tx): Projection {
  return ({ account, before, after, bytes }) => {
    const state = tx.held(account)!
    state.lead_count += (after ? 1 : 0) - (before ? 1 : 0)
    addBytes(state, bytes)
  }
}

export function addBytes(state: AccountState, bytes: number): void {
  state.stored_bytes = Math.max(0, state.stored_bytes + bytes)
}

/** Accounts' own rows in PostgreSQL, as the transaction keeps them at hand. */
export function accountColumns(tx: Tx): AccountColumns {
  return {
    get: async (account, name) => (await tx.account(account))[name],
    reader: (name) => async (account) => (await tx.account(account))[name],
    async set(account, name, value) {
      const state: AccountValues = await tx.account(account)
      state[name] = value
    },
    async addBytes(account, bytes) {
      addBytes(await tx.account(account), bytes)
    },
    flush: () => tx.keepAccounts(),
  }
}
