// What any engine behind store/contract/store.ts must do with jobs, and with answers that are kept for requests sent again.
import { describe, expect, test } from "bun:test"
import type { JobInsert, JobUpdate, Store } from "../../src/store/contract/store.ts"
import { NOW, type OpenWithAccounts } from "./given.ts"

export function jobsContract(openWithAccounts: OpenWithAccounts): void {
  const insertOf = (id: string): JobInsert => ({
    ...{ id, kind: "sweep", input: { rooms: [1, "ü"] }, of: 10 },
    ...{ batch_id: "batch_1", import_id: null, key_id: "key_1", actor_id: "user_1", role: "editor" },
    created_at: NOW,
  })
  const updateOf = (more: Partial<JobUpdate> = {}): JobUpdate => ({
    ...{
      state: "running",
      progress: null,
      done: 0,
      failed: 0,
      errors: [],
      at: NOW,
      until: NOW * 1_000,
      ...more,
    },
  })

  async function openWithJobs(...ids: string[]) {
    const { store, mine, theirs } = await openWithAccounts()
    await store.writeAcross(async (tx) => {
      for (const id of ids) await tx.jobs.insert(mine, insertOf(id))
    })
    const find = (id: string) => store.read.jobs.find(mine, id)
    const open = async (now: number) => (await store.read.jobs.open(now)).map(({ ref }) => ref)
    return { store, mine, theirs, find, open }
  }

  const take = (store: Store, ref: number, name: string, now: number, until: number) =>
    store.writeAcross((tx) => tx.jobs.take(ref, { name, now, until }))
  const save = (store: Store, ref: number, name: string, update: JobUpdate) =>
    store.writeAcross((tx) => tx.jobs.save(ref, name, update))

  describe("jobs", () => {
    test("wait until a worker takes them, who is told all that was given", async () => {
      const { store, mine, theirs, find, open } = await openWithJobs("job_1")
      const waiting = {
        id: "job_1",
        kind: "sweep",
        done: 0,
        of: 10,
        failed: 0,
        errors: [],
        batch_id: "batch_1",
      }
      const times = { started_at: null, ended_at: null }
      expect(await find("job_1")).toEqual({ ...waiting, ...times, state: "waiting" })
      expect(await store.read.jobs.find(theirs, "job_1")).toBeUndefined()
      const [ref] = await open(0)
      const taken = await take(store, ref!, "first", NOW * 1_000, NOW * 1_000 + 50)
      const own = {
        ref: ref!,
        account: mine,
        account_id: "acc_1",
        progress: null,
        done: 0,
        failed: 0,
        errors: [],
      }
      expect(taken).toEqual({ ...insertOf("job_1"), ...own })
      expect(await find("job_1")).toEqual({ ...waiting, ...times, state: "running", started_at: NOW })
    })

    test("are one worker's until its lease runs out; then another goes on where it was", async () => {
      const { store, find, open } = await openWithJobs("job_1")
      const [ref] = await open(0)
      await take(store, ref!, "first", 1_000, 2_000)
      expect([await open(1_999), await take(store, ref!, "second", 1_999, 9_000)]).toEqual([[], undefined])
      const errors = [{ lead_id: "cl_1", message: "no" }]
      const made = updateOf({ done: 4, failed: 1, progress: { next: 4 }, errors, of: 12, until: 3_000 })
      expect(await save(store, ref!, "first", made)).toBe(true)
      expect(await find("job_1")).toMatchObject({ state: "running", done: 4, of: 12, failed: 1, errors })
      expect([await open(2_999), await open(3_000)]).toEqual([[], [ref!]])
      const taken = await take(store, ref!, "second", 3_000, 4_000)
      expect(taken).toMatchObject({ done: 4, failed: 1, progress: { next: 4 }, errors, of: 12 })
      // The first has slept too long: what it did since is not written.
      expect(await save(store, ref!, "first", updateOf({ done: 99 }))).toBe(false)
      expect(await find("job_1")).toMatchObject({ done: 4 })
    })

    test("end with what their last slice says, and are nobody's then", async () => {
      const { store, find, open } = await openWithJobs("job_1")
      const [ref] = await open(0)
      await take(store, ref!, "first", 1_000, 2_000)
      expect(await save(store, ref!, "first", updateOf({ state: "done", done: 10, at: NOW + 5 }))).toBe(true)
      expect(await find("job_1")).toMatchObject({ state: "done", done: 10, ended_at: NOW + 5 })
      expect(await open(1e15)).toEqual([])
      expect(await take(store, ref!, "second", 1e15, 2e15)).toBeUndefined()
      expect(await save(store, ref!, "first", updateOf())).toBe(false)
    })

    test("are stopped by their own account, also while somebody works on them, and only once", async () => {
      const { store, mine, theirs, find, open } = await openWithJobs("job_1")
      const [ref] = await open(0)
      await take(store, ref!, "first", 1_000, 2_000)
      const stop = (account: number) => store.writeAcross((tx) => tx.jobs.stop(account, "job_1", NOW + 7))
      expect([await stop(theirs), await stop(mine), await stop(mine)]).toEqual([false, true, false])
      expect(await save(store, ref!, "first", updateOf({ done: 3 }))).toBe(false)
      expect(await find("job_1")).toMatchObject({ state: "stopped", done: 0, ended_at: NOW + 7 })
      expect(await open(1e15)).toEqual([])
    })

    test("are shown one of each account at a time, the oldest", async () => {
      const { store, theirs, open } = await openWithJobs("job_1", "job_2")
      await store.writeAcross((tx) => tx.jobs.insert(theirs, insertOf("job_3")))
      const refs = await open(0)
      expect(refs).toHaveLength(2)
      const taken = await take(store, refs[0]!, "first", 1_000, 2_000)
      expect(taken?.id).toBe("job_1")
      expect(await open(1_000)).toEqual([refs[1]!])
      await save(store, refs[0]!, "first", updateOf({ state: "failed" }))
      const [next] = await open(1_000)
      expect((await take(store, next!, "first", 1_000, 2_000))?.id).toBe("job_2")
    })

    test("are forgotten when they ended long ago, and never before they ended", async () => {
      const { store, find, open } = await openWithJobs("job_1", "job_2")
      const [ref] = await open(0)
      await take(store, ref!, "first", 1_000, 2_000)
      await save(store, ref!, "first", updateOf({ state: "done", at: NOW }))
      await store.writeAcross((tx) => tx.jobs.prune(NOW))
      expect(await find("job_1")).toBeDefined()
      await store.writeAcross((tx) => tx.jobs.prune(NOW + 1))
      expect([await find("job_1"), (await find("job_2"))?.state]).toEqual([undefined, "waiting"])
    })
  })

  describe("kept answers", () => {
    const bytes = (...all: number[]) => new Uint8Array(all)
    const kept = (answer: Uint8Array | null, created_at = NOW) => ({
      ...{ request: bytes(1, 2), answer, created_at },
    })

    test("that are too old are forgotten with their accounts' own, and no younger one", async () => {
      const { store, mine, theirs } = await openWithAccounts()
      const { idempotency } = store.read
      await store.writeAcross(async (tx) => {
        await tx.idempotency.put(mine, bytes(1), kept(bytes(0), NOW - 10))
        await tx.idempotency.put(mine, bytes(2), kept(bytes(0), NOW))
        await tx.idempotency.put(theirs, bytes(3), kept(bytes(0), NOW - 10))
      })
      expect((await idempotency.accountsBefore(NOW - 5)).toSorted()).toEqual([mine, theirs].toSorted())
      expect(await store.writeAcross((tx) => tx.idempotency.forget(mine, NOW - 5))).toBe(false)
      const find = (account: number, key: number) => idempotency.find(account, bytes(key), 0)
      const found = await Promise.all([find(mine, 1), find(mine, 2), find(theirs, 3)])
      expect(found.map((one) => one !== undefined)).toEqual([false, true, true])
      expect(await idempotency.accountsBefore(NOW - 5)).toEqual([theirs])
    })

    test("say which import their request runs, until there is an answer", async () => {
      const { store, mine } = await openWithAccounts()
      const key = bytes(9)
      const importId = async () => (await store.read.idempotency.find(mine, key, 0))?.import_id
      await store.writeAcross(async (tx) => {
        await tx.idempotency.put(mine, key, kept(null))
        await tx.idempotency.runsImport(mine, key, "imp_1")
      })
      expect(await importId()).toBe("imp_1")
      await store.writeAcross((tx) => tx.idempotency.put(mine, key, kept(bytes(1))))
      expect(await importId()).toBeNull()
    })
  })
}
