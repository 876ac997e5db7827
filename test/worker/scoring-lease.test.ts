import { describe, expect } from "bun:test"
import { join } from "node:path"
import { createIds } from "../../src/runtime/clock.ts"
import type { Store } from "../../src/store/contract/store.ts"
import { openSqliteStore } from "../../src/store/sqlite/index.ts"
import { createScoringLeases } from "../../src/worker/scoring/lease.ts"
import { heldClock } from "../support/clock.ts"
import { temporaryFolder } from "../support/folder.ts"
import { testWith } from "../support/test-with.ts"
import { until } from "../support/until.ts"

const test = testWith(openTwo)

/** Two processes on one file, as far as leases are concerned: stores of their own. */
async function openTwo() {
  const clock = heldClock()
  const file = join(temporaryFolder(), "leads.db")
  const stores = [openSqliteStore(file, createIds(clock)), openSqliteStore(file, createIds(clock))] as const
  const account = await stores[0].writeAcross((tx) =>
    tx.accounts.insert({ id: "acc_1", name: "one", plan: "pro", created_at: 1 }),
  )
  let asked = 0
  const counted: Pick<Store, "write"> = {
    write: (account, work) => stores[1].write(account, work).finally(() => asked++),
  }
  const [first, second] = [createScoringLeases(stores[0], clock), createScoringLeases(counted, clock)]
  return {
    ...{ clock, account, first, second, asked: () => asked },
    async [Symbol.asyncDispose]() {
      for (const store of stores) await store.close()
    },
  }
}

/** Holds the account until it is told to let go. */
function holding(leases: ReturnType<typeof createScoringLeases>, account: number) {
  const began = Promise.withResolvers<string>()
  const ending = Promise.withResolvers<void>()
  const held = leases.hold(account, async (lease) => {
    began.resolve(lease)
    await ending.promise
    return lease
  })
  return { began: began.promise, held, end: ending.resolve, fail: ending.reject }
}

describe("the lease of a scoring run", () => {
  test("lets another process begin when this one has ended, and not before", async (two) => {
    const order: string[] = []
    const first = holding(two.first, two.account)
    await first.began
    const second = two.second.hold(two.account, async () => void order.push("second"))
    await until("it was refused twice", async () => two.asked() >= 2)
    order.push("first")
    first.end()
    await Promise.all([first.held, second])
    expect(order).toEqual(["first", "second"])
  })

  test("of a process that is heard no more runs out", async (two) => {
    const first = holding(two.first, two.account)
    const lease = await first.began
    two.clock.advance(10_001)
    const taken = await two.second.hold(two.account, async (name) => name)
    expect(taken).not.toBe(lease)
    first.end()
    await first.held
  })

  test("that was lost ends the run's failure as one to try again", async (two) => {
    const first = holding(two.first, two.account)
    await first.began
    two.clock.advance(10_001)
    const second = holding(two.second, two.account)
    await second.began
    first.fail(new Error("the lease of this scoring run is another's"))
    await expect(first.held).rejects.toMatchObject({ kind: "unavailable" })
    second.end()
    await second.held
  })

  test("locks nobody out when the clock was set back", async (two) => {
    const first = holding(two.first, two.account)
    await first.began
    two.clock.jump(-3_600_000)
    expect(await two.second.hold(two.account, async () => "scored")).toBe("scored")
    first.end()
    await first.held
  })

  test("is waited for no longer once the service stops", async (two) => {
    const first = holding(two.first, two.account)
    await first.began
    const second = two.second.hold(two.account, async () => {})
    two.second.stop()
    await expect(second).rejects.toMatchObject({ kind: "unavailable" })
    first.end()
    await first.held
  })
})
