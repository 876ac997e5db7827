// What any engine behind store/contract/store.ts must do with the trail of changes.
import { describe, expect, test } from "bun:test"
import type { LeadData } from "../../src/lead/lead.ts"
import type {
  ChangeInsert,
  ChangeQuery,
  LeadState,
  Note,
  Store,
  Transaction,
} from "../../src/store/contract/store.ts"
import { leadData, NOW, type OpenWithAccounts } from "./given.ts"

const NOTHING_LEFT = { notes: [], activities: [], contacted_at: null }
const BATCH = { id: "0197f0a0-0000-7000-8000-000000000001", import_id: "imp_1" }

export function trailContract(openWithAccounts: OpenWithAccounts): void {
  const stateOf = (data: LeadData | null, score = 0): LeadState | null => data && { data, score }

  function recordOf(
    lead_id: string,
    before: LeadData | null,
    after: LeadData | null,
    more: Partial<ChangeInsert> = {},
  ): ChangeInsert {
    const action = before === null ? "created" : after === null ? "deleted" : "updated"
    const who = { reason: null, actor_id: "user_1", key_id: "key_1", created_at: NOW }
    return { lead_id, action, before: stateOf(before), after: stateOf(after), ...who, ...more }
  }

  /** A trail of five changes: A made, B made, A changed by another in a batch, B deleted with a note, A changed. */
  async function openWithTrail() {
    const { store, mine, theirs } = await openWithAccounts()
    const [a, b] = [leadData({ name: "A" }), leadData({ name: "B" })]
    const attributes = [{ id: "1", name: "size", type: "number" as const, value: 3 }]
    const [a2, a3] = [
      { ...a, city: "Bonn", attributes },
      { ...a, city: null, attributes },
    ]
    const notes: Note[] = ["one", "two"].map((content, i) => ({
      ...{ id: `note_${i}`, lead_id: b.id, content, author: "Eva", created_at: NOW, updated_at: NOW + i },
    }))
    const rows = await store.writeAcross(async (tx) => {
      const rows = [await tx.leads.insert(mine, a, 0), await tx.leads.insert(mine, b, 0)] as const
      await tx.changes.record(mine, recordOf(a.id, null, a))
      await tx.changes.record(mine, recordOf(b.id, null, b))
      return rows
    })
    await store.writeAcross(async (tx) => {
      await tx.leads.replace(mine, rows[0], a, a2, 0)
      const other = { actor_id: "user_2", key_id: "key_2", batch: BATCH, created_at: NOW + 10 }
      await tx.changes.record(mine, recordOf(a.id, a, a2, other))
      await tx.leads.remove(mine, rows[1], b)
      await tx.changes.record(mine, recordOf(b.id, b, null, { ...other, left: { ...NOTHING_LEFT, notes } }))
    })
    await store.writeAcross(async (tx) => {
      const row = (await tx.leads.find(mine, a.id))!
      await tx.leads.replace(mine, row, a2, a3, 0)
      await tx.changes.record(mine, recordOf(a.id, a2, a3, { created_at: NOW + 20, reason: "why" }))
    })
    return { store, mine, theirs, leads: { a, a2, a3, b }, notes }
  }

  const query = (more: Partial<ChangeQuery> = {}): ChangeQuery => ({
    ...{ filter: {}, descending: false, after: undefined, limit: 100, ...more },
  })

  /** Reads to the end, however much one look gives. */
  async function all(store: Store, account: number, asked: ChangeQuery) {
    const found = []
    for (let { after } = asked, more = true; more; ) {
      const page = await store.read.changes.page(account, { ...asked, after })
      found.push(...page.changes)
      ;({ position: after, more } = page)
    }
    return found
  }

  describe("the trail of an account", () => {
    test("is also given as differences, as records alone, and of one lead from a position on", async () => {
      const { store, mine, theirs, leads } = await openWithTrail()
      const up = await all(store, mine, query())
      const { changes: diffs } = await store.read.changes.diffs(mine, query({ after: up[1]!.position }))
      const [attribute] = leads.a2.attributes
      expect(diffs[0]!.diff).toEqual({ city: [leads.a.city, "Bonn"], "attr:size": [null, attribute!.value] })
      expect(diffs.at(-1)!.diff).toEqual({ city: ["Bonn", null] })
      const { changes: records } = await store.read.changes.records(mine, query())
      expect(records).toEqual(up.map(({ before: _, after: __, ...record }) => record))
      const ofField = query({ filter: { field: "city", action: "updated" } })
      const { changes: found } = await store.read.changes.records(mine, ofField)
      expect(found.map(({ id }) => id)).toEqual([up[2]!.id, up[4]!.id])
      const since = await store.read.changes.since(mine, leads.a.id, up[2]!.position)
      expect(since).toEqual([up[4]!, up[2]!])
      expect(await store.read.changes.since(theirs, leads.a.id, 0)).toEqual([])
    })

    test("tells its bounds, which move with what is written and what is forgotten", async () => {
      const { store, mine, theirs, leads } = await openWithTrail()
      const up = await all(store, mine, query())
      const head = up.at(-1)!.position
      expect(await store.read.changes.bounds(theirs)).toEqual({ head: 0, floor: 0 })
      const { head: newest, floor } = await store.read.changes.bounds(mine)
      expect([newest, floor < up[0]!.position]).toEqual([head, true])
      const prune = (tx: Transaction) => tx.trail.prune(mine, 5, NOW + 20)
      while (await store.writeAcross(prune));
      const bounds = await store.read.changes.bounds(mine)
      expect([bounds.head, bounds.floor]).toEqual([head, up[3]!.position])
      expect(await all(store, mine, query())).toEqual(up.slice(4))
      expect(await store.read.changes.list(mine, leads.b.id, 10)).toEqual([])
    })

    test("is one of its own after what was undone: nothing of it is seen, and no position is taken", async () => {
      const { store, mine, leads } = await openWithTrail()
      const before = await store.read.changes.bounds(mine)
      const failing = store.writeAcross(async (tx) => {
        await tx.changes.record(mine, recordOf(leads.a.id, leads.a3, leads.a2))
        throw new Error("no")
      })
      await expect(failing).rejects.toThrow("no")
      expect(await store.read.changes.bounds(mine)).toEqual(before)
      expect(await store.read.changes.epoch()).toBe(await store.read.changes.epoch())
    })
  })

  test("how long changes are kept is a matter of each account", async () => {
    const { store, mine, theirs } = await openWithAccounts()
    await store.writeAcross((tx) => tx.trail.setKeep(mine, 60))
    const keeps = await store.writeAcross((tx) => tx.trail.keeps())
    expect(new Map(keeps.map(({ account, keep }) => [account, keep]))).toEqual(
      new Map([
        [mine, 60],
        [theirs, null],
      ]),
    )
  })
}
