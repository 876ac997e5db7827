// The trail against the full texts: whatever happened to leads, every record tells both states exactly.
import { describe, expect, onTestFinished, test } from "bun:test"
import { rmSync } from "node:fs"
import { join } from "node:path"
import {
  type Activity,
  type Attribute,
  type Lead,
  type LeadData,
  leadOf,
  NO_ACTIVITY,
} from "../../src/lead/lead.ts"
import { createIds, systemClock } from "../../src/runtime/clock.ts"
import type { ChangeInsert, LeadRow, LeadState, Store } from "../../src/store/contract/store.ts"
import { openSqliteStore } from "../../src/store/sqlite/index.ts"
import { temporaryFolder } from "../support/folder.ts"
import { accountIn, leadData } from "./given.ts"

const NOW = 1_767_225_600

function openStore(): Store {
  const folder = temporaryFolder()
  const store = openSqliteStore(join(folder, "leads.db"), createIds(systemClock))
  onTestFinished(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })
  return store
}

/** Repeatable: a failure names its seed. */
function createRandom(seed: number) {
  let state = seed
  const next = () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0
    return (state >>> 0) / 2 ** 32
  }
  const below = (most: number) => Math.floor(next() * most)
  return {
    below,
    chance: (share: number) => next() < share,
    pick: <T>(all: readonly T[]) => all[below(all.length)]!,
  }
}
type Random = ReturnType<typeof createRandom>

const TEXTS = [null, "a", "Ulm", 'q "uote"', "\u2028 🚀", "x".repeat(300), "nul\\0", "é".repeat(1000)]

function changedLead(random: Random, before: LeadData, now: number): LeadData {
  const after: LeadData = {
    ...before,
    last_interaction_at: random.chance(0.9) ? now : before.last_interaction_at + 7,
  }
  if (random.chance(0.3)) return after
  after.updated_at = random.chance(0.9) ? now : before.updated_at - 5
  if (random.chance(0.5)) after.city = random.pick(TEXTS)
  if (random.chance(0.3)) after.description = random.pick(TEXTS)
  if (random.chance(0.2)) after.rating = random.pick([null, 0, 1.5, 1e300, -3, 5e-324])
  if (random.chance(0.2)) after.status = random.pick(["new", "contacted", "converted"])
  if (random.chance(0.2))
    after.tags = Array.from({ length: random.below(4) }, () => random.pick(["a", "b", "ü"]))
  if (random.chance(0.5)) after.attributes = changedAttributes(random, before.attributes)
  return after
}

function changedAttributes(random: Random, before: Attribute[]): Attribute[] {
  const fresh = (): Attribute => ({
    id: Bun.randomUUIDv7(),
    name: `${random.pick(["size", "net.revenue", "__proto__", "10", "ä"])} ${random.below(2 ** 32)}`,
    type: "object",
    value: { nested: { __proto__x: random.below(9), list: [random.pick(["", "x"])] }, 7: "seven" },
  })
  if (before.length === 0 || random.chance(0.3)) return [...before, fresh()]
  const at = random.below(before.length)
  if (random.chance(0.3)) return before.toSpliced(at, 1)
  if (random.chance(0.2)) return [fresh(), ...before.toSpliced(at, 1)]
  return before.with(at, {
    ...before[at]!,
    value: random.pick<Attribute["value"]>([1, "text", ["a"], { b: { c: 1 } }]),
  })
}

function changedActivity(random: Random, before: Activity, now: number): Activity {
  const time = (was: number | null) =>
    random.pick([was, null, now, now - random.below(90_000_000), now + 1, now + 77])
  return {
    last_note_at: time(before.last_note_at),
    note_count: random.pick([0, 1, before.note_count + 1, random.below(100_000)]),
    last_contacted_at: time(before.last_contacted_at),
  }
}

interface Told {
  action: ChangeInsert["action"]
  before: string | null
  after: string | null
  reason: string | null
  created_at: number
}

const text = (state: LeadState | null) =>
  state ? JSON.stringify(leadOf(state.data, state.activity ?? NO_ACTIVITY, state.score)) : null
const lead = (state: Lead | null) => (state ? JSON.stringify(state) : null)

/** A lead's random life, in its own pace: written in transactions of several changes, its scores moving between. */
async function live(store: Store, account: number, seed: number): Promise<{ id: string; told: Told[] }> {
  const random = createRandom(seed)
  const id = `cl_${Bun.randomUUIDv7()}`
  const told: Told[] = []
  let now = NOW
  let state: LeadState | null = null
  let last: LeadState = { data: leadData({ id, name: `n${seed}` }), score: 0 }
  let row: LeadRow | undefined
  const isActive = random.chance(0.6)
  const done = (state: LeadState, share: number): Pick<LeadState, "activity"> => {
    const { activity = NO_ACTIVITY } = state
    if (!isActive) return {}
    return { activity: random.chance(share) ? changedActivity(random, activity, now) : activity }
  }
  for (let left = 1 + random.below(random.chance(0.02) ? 200 : 12); left > 0; ) {
    if (row && state && random.chance(0.2)) {
      const score: number = random.below(100)
      await store.write(account, (tx) => tx.leads.setScore(account, row!.ref, row!.version, score))
      row = await store.read.leads.find(account, id)
      state = { ...(state as LeadState), score: row!.score }
    }
    const steps = Math.min(left, 1 + random.below(4))
    left -= steps
    now += random.below(100_000)
    if (state) state = { ...(state as LeadState), ...done(state, 0.3) }
    await store.write(account, async (tx) => {
      for (let i = 0; i < steps; i++) {
        const before = state as LeadState | null
        const reason = random.pick([null, "dedup:email", "dedup:phone", "revert:x", null])
        let change: Pick<ChangeInsert, "action" | "before" | "after">
        if (!before) {
          const data = { ...last.data, last_interaction_at: now }
          const after = { data, score: random.below(3), ...done(last, 0.3) }
          row = await tx.leads.insert(account, after.data, after.score)
          change = { action: "created", before, after }
        } else if (random.chance(0.05)) {
          await tx.leads.remove(account, row!, before.data)
          last = before
          change = { action: "deleted", before, after: null }
        } else {
          const data = changedLead(random, before.data, now)
          const score = random.chance(0.2) ? random.below(100) : before.score
          const after = { data, score, ...done(before, 0.1) }
          await tx.leads.replace(account, row!, before.data, data, after.score)
          row = (await tx.leads.find(account, id))!
          change = { action: random.pick(["updated", "merged"]), before, after }
        }
        state = change.after
        await tx.changes.record(account, {
          lead_id: id,
          ...change,
          reason,
          actor_id: random.pick(["key_1", "anna", "bob"]),
          key_id: "key_1",
          created_at: now,
        })
        told.unshift({
          action: change.action,
          before: text(change.before),
          after: text(change.after),
          reason,
          created_at: now,
        })
      }
    })
  }
  return { id, told }
}

const LIVES = Number(process.env.LEADDB_TRAIL_LIVES ?? 700)

describe("the trail", () => {
  test(`tells both states of every change exactly, in ${LIVES} random histories`, async () => {
    const store = openStore()
    const account = await accountIn(store)
    const lives: { id: string; told: Told[] }[] = []
    for (let seed = 1; seed <= LIVES; seed += 50) {
      const some = Array.from({ length: Math.min(50, LIVES - seed + 1) }, (_, i) =>
        live(store, account, seed + i),
      )
      lives.push(...(await Promise.all(some)))
    }
    for (const { id, told } of lives) {
      const changes = await store.read.changes.list(account, id, 1_000)
      const found = changes.map(({ action, before, after, reason, created_at }) => {
        return { action, before: lead(before), after: lead(after), reason, created_at }
      })
      expect(found).toEqual(told)
    }
    // The whole account's trail says the same, from either end.
    const byId = new Map(lives.map(({ id, told }) => [id, told.toReversed()]))
    const seen = new Map<string, number>()
    let after: number | undefined
    for (let more = true; more; ) {
      const page = await store.read.changes.page(account, {
        filter: {},
        descending: false,
        after,
        limit: 100,
      })
      for (const change of page.changes) {
        const n = seen.get(change.lead_id) ?? 0
        seen.set(change.lead_id, n + 1)
        const told = byId.get(change.lead_id)![n]!
        expect({ before: lead(change.before), after: lead(change.after) }).toEqual({
          before: told.before,
          after: told.after,
        })
      }
      ;({ position: after, more } = page)
    }
    expect([...seen]).toHaveLength(LIVES)
    for (const [id, n] of seen) expect(n).toBe(byId.get(id)!.length)
  }, 120_000)
})
