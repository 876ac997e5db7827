// Jobs where everything takes long by the clock, though it is little work: a slow database, a crowded machine.
import { expect, test } from "bun:test"
import type { JobKind } from "../../src/domain/job-kind.ts"
import type { Services } from "../../src/domain/operation.ts"
import { createIds, systemClock } from "../../src/runtime/clock.ts"
import { createLog } from "../../src/runtime/log.ts"
import { openPostgresStore } from "../../src/store/postgres/index.ts"
import { startJobRunner } from "../../src/worker/jobs/runner.ts"
import { addAccountTo } from "../support/account.ts"
import { hasPostgres, newDatabase, startPostgres } from "../support/postgres.ts"
import { until } from "../support/until.ts"

await startPostgres()

const SLICES = 2

/** Waits for others again and again, until it has been at it for long enough. */
const waiting: JobKind = {
  name: "waiting",
  async run({ progress, isEnough, commit }) {
    await commit(async () => {
      do await Bun.sleep(20)
      while (!(await isEnough()))
      const slices = ((progress as number | null) ?? 0) + 1
      return { done: 1, progress: slices, isOver: slices === SLICES }
    })
  },
}

test.skipIf(!hasPostgres)(
  "a job that waits most of its time keeps its lease, and ends",
  async () => {
    const database = await newDatabase()
    const ids = createIds(systemClock)
    const stores = await Promise.all([1, 2].map(() => openPostgresStore(database, ids)))
    const log = createLog("off", () => {})
    const runners = stores.map((store) =>
      // The job needs nothing else.
      startJobRunner({ store, clock: systemClock } as Services, [waiting], log),
    )
    try {
      const store = stores[0]!
      const { id } = await addAccountTo(store)
      const account = (await store.read.accounts.find(id))!.key
      const job = await store.write(account, async (tx) => {
        const made = { kind: waiting.name, input: null, of: SLICES, batch_id: null, import_id: null }
        const whose = { key_id: "local", actor_id: "local", role: "owner" as const }
        await tx.jobs.insert(account, { ...made, ...whose, id: "job_1", created_at: 1 })
        return "job_1"
      })
      const ended = await until(
        "it is done",
        async () => {
          await Bun.sleep(50)
          const found = await store.read.jobs.find(account, job)
          return found?.state === "done" && found
        },
        120_000,
      )
      expect(ended).toMatchObject({ done: SLICES, failed: 0, errors: [] })
    } finally {
      for (const runner of runners) await runner.stop()
      for (const store of stores) await store.close()
    }
  },
  90_000,
)
