// A dry run: the ordinary push, in a store of its own that holds the leads which the pushed ones have to do with.
import { AppError } from "../../core/errors.ts"
import type { LeadInput } from "../../core/fields.ts"
import type { Condition } from "../../core/lead-query.ts"
import type { Context } from "../../core/operation.ts"
import type { LeadRow, PushedKeys, Transaction } from "../../store/store.ts"
import { pushedKeys } from "../leads/dedup.ts"
import type { Outcome } from "../outcome.ts"

/** Leads of one name and city that are looked at: the next oldest counts when a row has changed the oldest. */
const NAMESAKES_MAX = 100

export interface Rehearsal {
  /** Does `work`, which pushes `inputs`, on copies of what it can find. */
  write<T>(
    inputs: readonly Outcome<LeadInput>[],
    work: (ctx: Context, tx: Transaction) => Promise<T>,
  ): Promise<T>
  close(): Promise<void>
}

/** Opens a rehearsal of pushes to the caller's account. Nothing of it stays, and it holds no lock of the real store. */
export async function openRehearsal(ctx: Context): Promise<Rehearsal> {
  const { account } = ctx.caller
  const { accounts, leads, rules } = ctx.store.read
  const scratch = await ctx.scratch()
  const own = await scratch.writeAcross((tx) =>
    tx.accounts.insert({ id: tx.newId("acc_"), name: "dry run", plan: "enterprise", created_at: ctx.now }),
  )
  const present = await rules.list(account.key)
  await scratch.write(own, async (tx) => {
    await tx.accounts.setDefaultCountry(own, account.default_country)
    for (const rule of present) await tx.rules.insert(own, rule)
  })
  const copied = new Set<number>()
  const namesakesCopied = new Set<string>()

  /** The account's leads that the pushed ones may meet, as far as they are not in the scratch yet. */
  async function missing(keys: readonly PushedKeys[]): Promise<Map<number, LeadRow>> {
    const found = new Map<number, LeadRow>()
    const add = (row: LeadRow | undefined) => {
      if (row && !copied.has(row.ref)) found.set(row.ref, row)
    }
    for (const [i, candidates] of (await leads.findDuplicates(account.key, keys)).entries()) {
      add(candidates.email)
      add(candidates.source_id)
      for (const { ref } of candidates.phone) {
        if (!copied.has(ref) && !found.has(ref)) add(await leads.findByRef(account.key, ref))
      }
      if (candidates.nameAndCity) for (const row of await namesakes(keys[i]!)) add(row)
    }
    return found
  }

  async function namesakes({ name, city }: PushedKeys): Promise<(LeadRow | undefined)[]> {
    const group = JSON.stringify([name, city])
    if (namesakesCopied.has(group)) return []
    namesakesCopied.add(group)
    const text = (field: "name" | "city", value: string): Condition => {
      return { on: "text", not: false, field, operator: "eq", values: [value] }
    }
    const { rows } = await leads.list(account.key, {
      filter: { all: [text("name", name), text("city", city!)], any: [] },
      sort: { key: { on: "id" }, descending: false },
      limit: NAMESAKES_MAX,
    })
    return Promise.all(rows.map((row) => leads.find(account.key, row.data().id)))
  }

  async function copy(rows: ReadonlyMap<number, LeadRow>): Promise<void> {
    if (rows.size === 0) return
    await scratch.write(own, async (tx) => {
      for (const row of rows.values()) await copyOne(tx, own, row)
    })
    for (const ref of rows.keys()) copied.add(ref)
  }

  return {
    async write(inputs, work) {
      const pushed = inputs.flatMap((input) =>
        "error" in input ? [] : pushedKeys(input.value, account.default_country),
      )
      await copy(await missing(pushed))
      const leadsElsewhere = (await accounts.countLeads(account.key)) - copied.size
      const caller = { ...ctx.caller, account: { ...account, key: own } }
      return scratch.write(own, (tx) => work({ ...ctx, store: scratch, caller, leadsElsewhere }, tx))
    },
    close: () => scratch.close(),
  }
}

/** A lead that somebody has changed meanwhile may be at odds with what is in the scratch: then it stays out. */
async function copyOne(tx: Transaction, account: number, row: LeadRow): Promise<void> {
  try {
    await tx.attempt(() => tx.leads.insert(account, row.data(), row.score))
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== "conflict") throw error
  }
}
