// What one account could keep from all others.

import { Database } from "bun:sqlite"
import { describe, expect } from "bun:test"
import { readdirSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { createIds, systemClock } from "../../src/runtime/clock.ts"
import { backUpDatabase } from "../../src/store/sqlite/file/copy.ts"
import { restoreDatabase } from "../../src/store/sqlite/file/restore.ts"
import { addAccount } from "../support/account.ts"
import { openTestApp, appTest as test } from "../support/app.ts"
import { openBeside } from "../support/database.ts"
import { temporaryFolder } from "../support/folder.ts"
import { LEAST } from "../support/lead.ts"

describe("jobs of an account", () => {
  const idsOf = (count: number, length: number) =>
    Array.from({ length: count }, (_, i) => `cl_${i}`.padEnd(length, "x"))
  const work = (ids: string[]) => ({ ids, action: "add_tags", data: { tags: ["x"] } })

  test("have no more to work on than its plan stores, and tell of no endless ids", async ({ config, as }) => {
    const { key } = await addAccount(config.file, { limits: { storage_limit: 300_000 } })
    const started = await as(key)("POST", "/leads/bulk", work(idsOf(1_001, 200)))
    expect(started.status).toBe(202)
    const refused = await as(key)("POST", "/leads/bulk", work(idsOf(1_600, 200)))
    expect([refused.status, refused.body.code]).toEqual([409, "conflict"])
    const odd = await as(key)("POST", "/leads/bulk", work(idsOf(2, 201)))
    expect([odd.status, odd.body.message]).toEqual([400, expect.stringContaining("200 characters")])
  })

  test("are kept as the newest 500", async ({ config, call }) => {
    const store = await openBeside(config.file, createIds(systemClock))
    const [account] = await store.read.accounts.list()
    const made = { kind: "ended", input: null, of: null, batch_id: null, import_id: null, key_id: "k" }
    const ids = Array.from({ length: 510 }, (_, i) => `job_${String(i).padStart(4, "0")}`)
    await store.write(account!.key, async (tx) => {
      for (const id of ids) {
        await tx.jobs.insert(account!.key, { ...made, id, actor_id: "k", role: "owner", created_at: 1 })
        await tx.jobs.stop(account!.key, id, 1)
      }
    })
    await store.close()
    expect((await call("POST", "/leads/bulk", work(idsOf(1_001, 40)))).status).toBe(202)
    const known = await Promise.all(
      ["job_0000", "job_0010", "job_0011", "job_0509"].map((id) => call("GET", `/jobs/${id}`)),
    )
    expect(known.map(({ status }) => status)).toEqual([404, 404, 200, 200])
  })
})

test("event streams of tools an account has at most a hundred of them, and a session one message a request", async () => {
  const { app, key } = await openTestApp()
  const origin = new URL(app.mcpUrl).origin
  const headers = { Authorization: `Bearer ${key}` }
  const open = () => fetch(`${origin}/sse`, { headers })
  const streams = await Promise.all(Array.from({ length: 100 }, open))
  expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]))
  expect((await open()).status).toBe(429)
  const readers = streams.map(({ body }) => body!.getReader())
  const first = await readers[0]!.read()
  const path = /data: (\S+)/.exec(new TextDecoder().decode(first.value))![1]
  const call = (id: number) => ({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name: "get_stats", arguments: {} },
  })
  const post = (body: unknown) =>
    fetch(origin + path, {
      method: "POST",
      headers: { ...headers, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    })
  expect((await post([call(1), call(2)])).status).toBe(400)
  expect((await post(call(3))).status).toBe(202)
  await Promise.all(readers.map((reader) => reader.cancel()))
})

test("an account has at most two imports at a time", async ({ app, key }) => {
  const headers = { "X-API-Key": key, "Content-Type": "text/csv" }
  const ends: (() => void)[] = []
  const slow = () => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(Buffer.from("name,source\nA,b\n"))
        ends.push(() => controller.close())
      },
    })
    return fetch(`${app.url}/leads/import?format=csv`, { method: "POST", headers, body })
  }
  const two = [slow(), slow()]
  const statuses = async () =>
    (
      await fetch(`${app.url}/leads/import?format=csv`, {
        method: "POST",
        headers,
        body: "name,source\nA,b\n",
      })
    ).status
  let third = await statuses()
  while (third !== 429) third = await statuses()
  for (const end of ends) end()
  expect((await Promise.all(two)).map(({ status }) => status)).toEqual([200, 200])
  expect(await statuses()).toBe(200)
})

describe("a database with something in it that acts", () => {
  test.for([
    ["trigger", "CREATE TRIGGER evil AFTER INSERT ON leads BEGIN DELETE FROM api_keys; END"],
    ["view", "CREATE VIEW evil AS SELECT 1"],
    ["table", "CREATE TABLE evil (x)"],
  ])("is not restored: a %s", async ([type, sql], { config }) => {
    const folder = temporaryFolder()
    const backup = join(folder, "backup.db")
    backUpDatabase(config.file, backup)
    const db = new Database(backup)
    db.run(sql)
    db.close()
    expect(() => restoreDatabase(backup, join(folder, "leads.db"), "20270101T000000Z")).toThrow(
      `the ${type} "evil"`,
    )
  })
})

test("uploads lie in the data folder, where nobody else can read them", async ({ config, call }) => {
  await call("POST", "/leads", LEAST)
  const folder = join(dirname(config.file), "uploads")
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(readdirSync(folder)).toEqual([])
})
