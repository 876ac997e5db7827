// A dry run: the ordinary push, in a transaction that reads the account's leads where they are and writes to a scratch
// store. Leads are told apart by the sign of their handle: the account's are positive, those of the scratch negative.
import { AppError } from "../../core/errors.ts"
import type { LeadData } from "../../core/lead.ts"
import type { Condition } from "../../core/lead-query.ts"
import type { Context } from "../../core/operation.ts"
import { fold } from "../../core/text.ts"
import type { LeadRow, Store, Transaction } from "../../store/store.ts"

export interface Rehearsal {
  write: Store["write"]
  close(): Promise<void>
}

/** Opens a rehearsal of writes to the caller's leads. Nothing of it stays, and it holds no lock of the real store. */
export async function openRehearsal(ctx: Context): Promise<Rehearsal> {
  const scratch = await ctx.scratch()
  const account = await scratch.writeAcross((tx) =>
    tx.accounts.insert({ id: tx.newId("acc_"), name: "dry run", plan: "enterprise", created_at: ctx.now }),
  )
  const copies = newCopies()
  return {
    async write(_account, work) {
      // Only what was written for good counts: a work may be run twice.
      let fresh = newCopies()
      const result = await scratch.write(account, (tx) => {
        fresh = newCopies()
        return work(rehearsed(ctx, tx, account, [copies, fresh]))
      })
      for (const [ref, copy] of fresh.of) keep(copies, ref, copy)
      return result
    },
    close: () => scratch.close(),
  }
}

/** The changed copies of the account's leads in the scratch: where each is, and of which each is. */
interface Copies {
  of: Map<number, number>
  originals: Map<number, number>
}

function keep(copies: Copies, ref: number, copy: number): void {
  copies.of.set(ref, copy)
  copies.originals.set(copy, ref)
}

function newCopies(): Copies {
  return { of: new Map(), originals: new Map() }
}

function rehearsed(
  ctx: Context,
  tx: Transaction,
  scratch: number,
  [old, fresh]: readonly [Copies, Copies],
): Transaction {
  const { read } = ctx.store
  const mark = <Row extends { ref: number }>(row: Row): Row =>
    Object.create(row, { ref: { value: -row.ref } })
  const copyOf = (ref: number) => fresh.of.get(ref) ?? old.of.get(ref)
  /** The order of creation of what is in the scratch. */
  const age = (copy: number) =>
    fresh.originals.get(copy) ?? old.originals.get(copy) ?? Number.MAX_SAFE_INTEGER / 2 + copy
  /** What the scratch has, else what the account has and the scratch has not changed. */
  async function first(mine: Promise<LeadRow | undefined>, real: () => Promise<LeadRow | undefined>) {
    const changed = await mine
    if (changed) return mark(changed)
    const row = await real()
    return row && copyOf(row.ref) === undefined ? row : undefined
  }
  const leads: Transaction["leads"] = {
    ...tx.leads,
    async find(account, id) {
      return first(tx.leads.find(scratch, id), () => read.leads.find(account, id))
    },
    async findByRef(account, ref) {
      if (ref > 0) return read.leads.findByRef(account, ref)
      const row = await tx.leads.findByRef(scratch, -ref)
      return row && mark(row)
    },
    findByEmail: (account, email) =>
      first(tx.leads.findByEmail(scratch, email), () => read.leads.findByEmail(account, email)),
    findBySourceId: (account, sourceId) =>
      first(tx.leads.findBySourceId(scratch, sourceId), () => read.leads.findBySourceId(account, sourceId)),
    async findByPhone(account, key) {
      const mine = (await tx.leads.findByPhone(scratch, key)).map(
        (found) => [age(found.ref), mark(found)] as const,
      )
      const real = (await read.leads.findByPhone(account, key)).flatMap((found) =>
        copyOf(found.ref) === undefined ? [[found.ref, found] as const] : [],
      )
      // The oldest first: the account's leads as they are there, changed or not, before those that are new.
      return [...mine, ...real].toSorted(([one], [other]) => one - other).map(([, found]) => found)
    },
    async findByNameAndCity(account, name, city) {
      const mine = await tx.leads.findByNameAndCity(scratch, name, city)
      if (mine) return mine
      return findUnchanged(account, name, city)
    },
    async insert(_, lead, score) {
      return mark(await tx.leads.insert(scratch, lead, score))
    },
    async replace(account, row, before, after, score) {
      if (row.ref < 0) {
        await refuseTaken(account, row, before, after)
        return mark(await tx.leads.replace(scratch, mark(row), before, after, score))
      }
      await refuseTaken(account, row, before, after)
      const copy = await tx.leads.insert(scratch, after, score)
      keep(fresh, row.ref, copy.ref)
      return mark(copy)
    },
  }

  /** Any of the account's leads with this name and city that no row has changed. */
  async function findUnchanged(account: number, name: string, city: string) {
    const oldest = await read.leads.findByNameAndCity(account, name, city)
    if (!oldest) return undefined
    const row = await read.leads.find(account, oldest.id)
    if (!row || copyOf(row.ref) === undefined) return oldest
    const text = (field: "name" | "city", value: string): Condition => {
      return { on: "text", not: false, field, operator: "eq", values: [value] }
    }
    const page = await read.leads.list(account, {
      filter: { all: [text("name", name), text("city", city)], any: [] },
      sort: { key: { on: "id" }, descending: false },
      limit: 1_000,
    })
    for (const listed of page.rows) {
      const { id } = listed.data()
      const other = await read.leads.find(account, id)
      if (other && copyOf(other.ref) === undefined) return { id }
    }
    return undefined
  }

  /** What the unique indexes would refuse. */
  async function refuseTaken(
    account: number,
    { ref }: LeadRow,
    before: LeadData,
    after: LeadData,
  ): Promise<void> {
    const { email, source_id } = after
    if (email !== null && email !== before.email) {
      const other = await leads.findByEmail(account, fold(email))
      if (other && other.ref !== ref) throw new AppError("conflict", "Duplicate email")
    }
    if (source_id !== null && source_id !== before.source_id) {
      const other = await leads.findBySourceId(account, source_id)
      if (other && other.ref !== ref) throw new AppError("conflict", "Duplicate source_id")
    }
  }

  return {
    ...tx,
    leads,
    rules: {
      ...tx.rules,
      list: (account) => read.rules.list(account),
      revision: (account) => read.rules.revision(account),
    },
    accounts: {
      ...tx.accounts,
      async countLeads(account) {
        const created = (await tx.accounts.countLeads(scratch)) - old.of.size - fresh.of.size
        return (await read.accounts.countLeads(account)) + created
      },
    },
    // Nobody is told of what does not happen.
    changes: { ...tx.changes, record: async () => undefined },
    webhooks: { ...tx.webhooks, subscribed: async () => [] },
  }
}
