// The tables that are derived from leads.
import { attributeChanges, type Projection, tagChanges } from "../../tables/leads/projections.ts"
import { duplicateQueue } from "../duplicates/queue.ts"
import { textIndex } from "../search/texts.ts"
import { wordIndex } from "../search/words.ts"
import { dropSink, LEAD_KEY, tableSink } from "../writes/sinks.ts"
import type { AccountState, Tx } from "../writes/transaction.ts"

/** Each is called with every change of a lead whose account is locked, in this order. */
export function leadProjections(tx: Tx): readonly Projection[] {
  return [tags(tx), attributes(tx), wordIndex(tx), textIndex(tx), duplicateQueue(tx), accountTotals(tx)]
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
