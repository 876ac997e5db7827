// Uploads that are held open: what they take of the disk counts from their first byte.
import { afterAll, expect, onTestFinished, test } from "bun:test"
import { existsSync, readdirSync, statfsSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { shareOf } from "../../src/domain/imports/run/under-way.ts"
import { zip } from "../../src/formats/zip/write-zip.ts"
import { addAccount } from "../support/account.ts"
import { openTestApp } from "../support/app.ts"
import { onPostgres } from "../support/database.ts"
import { openInstances } from "../support/instances.ts"
import { openPlace } from "../support/service.ts"
import { mountSmallDisk, unmount } from "../support/small-disk.ts"
import { until } from "../support/until.ts"

const MB = 1_000_000
const STORAGE = 50 * MB
/** A piece of a CSV file that never ends. */
const PIECE = Buffer.from(`A lead,${"x".repeat(992)}\n`.repeat(1_000))

interface Held {
  /** Answered as soon as the service refuses it, or when it is let go. */
  answer: Promise<{ status: number; code?: string; message?: string }>
  /** Resolves when all but what is on its way was sent. */
  sent: Promise<void>
  finish(): void
}

/** Sends some bytes and then holds the upload open, or sends on until it is answered. */
function hold(url: string, key: string, { start = "name,source\n", megabytes = Infinity } = {}): Held {
  const over = Promise.withResolvers<void>()
  const all = Promise.withResolvers<void>()
  let isOver = false
  let sent = 0
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(Buffer.from(start)),
    async pull(controller) {
      if (!isOver && sent < megabytes) {
        sent++
        controller.enqueue(PIECE)
        // Lets the answer through between two pieces.
        await new Promise((resolve) => setImmediate(resolve))
        return
      }
      all.resolve()
      if (!isOver) await over.promise
      controller.close()
    },
  })
  const finish = () => {
    isOver = true
    over.resolve()
  }
  onTestFinished(finish)
  const headers = { "X-API-Key": key, "Content-Type": "text/csv" }
  const answer = fetch(url, { method: "POST", headers, body }).then(async (response) => {
    isOver = true
    over.resolve()
    return { ...((await response.json()) as { code?: string }), status: response.status }
  })
  return { answer, sent: all.promise, finish }
}

test("the background uploads of one account end at its plan's storage, and another's go on", async () => {
  const { app, config } = await openTestApp()
  const url = `${app.url}/leads/import?background=true`
  const flooder = await addAccount(config.file, { plan: "free" })
  const other = await addAccount(config.file, { plan: "free" })
  const held = [hold(url, flooder.key, { megabytes: 20 }), hold(url, flooder.key, { megabytes: 20 })]
  const third = await hold(url, flooder.key).answer
  expect(third).toMatchObject({ status: 403, code: "storage_limit_reached" })
  expect(third.message).toContain("files that are being imported take 5")
  if (!config.database) expect(bytesIn(join(dirname(config.file), "imports"))).toBeLessThanOrEqual(STORAGE)
  const own = await hold(url, other.key, { megabytes: 0 })
  own.finish()
  expect((await own.answer).status).toBe(202)
  for (const { finish } of held) finish()
  // Which of its own comes too late is the flooder's luck.
  for (const { status } of await Promise.all(held.map(({ answer }) => answer)))
    expect([202, 403]).toContain(status)
})

test("an account has at most three at a time, those whose file is still coming included", async () => {
  const { app, config } = await openTestApp()
  const url = `${app.url}/leads/import?background=true`
  const { key } = await addAccount(config.file)
  const other = await addAccount(config.file)
  const held = [1, 2, 3].map(() => hold(url, key, { megabytes: 1 }))
  const unreadable = async (key: string) => {
    const headers = { "X-API-Key": key, "Content-Type": "text/csv" }
    return (await fetch(url, { method: "POST", headers, body: " " })).status
  }
  await until("the fourth is refused", async () => (await unreadable(key)) === 409)
  expect(await unreadable(other.key)).toBe(400)
  for (const { finish } of held) finish()
  expect((await Promise.all(held.map(({ answer }) => answer))).map(({ status }) => status)).toEqual([
    202, 202, 202,
  ])
})

/** Two services on the same data with a free account's key, in processes of their own. */
async function openTwo(): Promise<AsyncDisposable & { urls: string[]; key: string; kill(): Promise<void> }> {
  if (onPostgres) {
    const instances = await openInstances(2)
    const { key } = await instances.account({ plan: "free" })
    const urls = instances.all.map(({ url }) => url)
    const dispose = () => instances[Symbol.asyncDispose]()
    return { urls, key, kill: () => instances.all[0]!.kill(), [Symbol.asyncDispose]: dispose }
  }
  const place = openPlace()
  const args = ["--data", join(place.folder, "data")]
  const one = await place.serve(args)
  const other = await place.serve(args)
  const made = await place.run(["accounts", "create", "--name", "Free", "--plan", "free", ...args, "--json"])
  const dispose = () => place[Symbol.asyncDispose]()
  return {
    urls: [one.url, other.url],
    key: made.json.api_key,
    kill: one.kill,
    [Symbol.asyncDispose]: dispose,
  }
}

test("uploads count over all processes on the same data, and no more when theirs has died", async () => {
  await using two = await openTwo()
  const [one, other] = two.urls.map((url) => `${url}/leads/import?background=true`)
  const held = [1, 2].map(() => hold(one!, two.key, { megabytes: 16 }))
  const cut = Promise.allSettled(held.map(({ answer }) => answer))
  await Promise.all(held.map(({ sent }) => sent))
  expect(await hold(other!, two.key, { megabytes: 24 }).answer).toMatchObject({
    status: 403,
    code: "storage_limit_reached",
  })
  const third = hold(other!, two.key, { megabytes: 1 })
  await third.sent
  expect((await hold(other!, two.key, { megabytes: 0 }).answer).status).toBe(409)
  third.finish()
  expect((await third.answer).status).toBe(202)
  await two.kill()
  await cut
  await until("its uploads count no more", async () => {
    const next = hold(other!, two.key, { megabytes: 40 })
    await Promise.race([next.answer, next.sent])
    next.finish()
    return (await next.answer).status === 202
  })
}, 120_000)

test("a packed file that is imported while it comes counts, too", async () => {
  const { app, config } = await openTestApp()
  const { key } = await addAccount(config.file, { plan: "free" })
  const start = Buffer.concat(
    await Array.fromAsync(zip([{ path: "a.csv", chunks: [Buffer.from("name\nA\n")] }])),
  )
  const sent = await hold(`${app.url}/leads/import`, key, { start: start.toString("latin1").slice(0, 4) })
    .answer
  expect(sent).toMatchObject({ status: 403, code: "storage_limit_reached" })
})

const disk = mountSmallDisk(256)
afterAll(() => disk && unmount(disk))

test.skipIf(disk === undefined)(
  "an account without a limit ends at half of the disk, and another's uploads go on",
  async () => {
    await using place = openPlace()
    const { url, key } = await place.serve(["--data", disk!], { LEADDB_LOG: "off" })
    const made = await place.run([
      "accounts",
      "create",
      "--name",
      "Other",
      "--plan",
      "pro",
      "--data",
      disk!,
      "--json",
    ])
    const imports = `${url}/leads/import?background=true`
    const { bavail, bsize } = statfsSync(disk!)
    const flood = [hold(imports, key), hold(imports, key)]
    expect(await Promise.race(flood.map(({ answer }) => answer))).toMatchObject({
      status: 507,
      code: "storage_full",
    })
    expect(bytesIn(join(disk!, "imports"))).toBeLessThanOrEqual((bavail * bsize) / 2)
    const own = hold(imports, made.json.api_key, { megabytes: 1 })
    own.finish()
    expect((await own.answer).status).toBe(202)
    for (const { finish } of flood) finish()
    await Promise.all(flood.map(({ answer }) => answer))
  },
)

test("an account's files take half of what the disk has free for them, so that any other finds room", () => {
  const disk = 1_000
  const shares: number[] = []
  for (let free = disk; shares.length < 5; free -= shares.at(-1)!) shares.push(shareOf(0, free))
  expect(shares).toEqual([500, 250, 125, 62.5, 31.25])
  expect(shareOf(400, 600)).toBe(500)
})

function bytesIn(folder: string): number {
  if (!existsSync(folder)) return 0
  return readdirSync(folder).reduce(
    (sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  )
}
