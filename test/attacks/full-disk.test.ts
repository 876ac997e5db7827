// What strangers are told while the disk is full: that it is not the moment, and nothing of the service.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import { closeSync, ftruncateSync, openSync, statfsSync, writeSync } from "node:fs"
import { join } from "node:path"
import { openPlace, type Place, type Served } from "../support/service.ts"
import { mountSmallDisk, unmount } from "../support/small-disk.ts"
import { until } from "../support/until.ts"

const disk = mountSmallDisk(24)
const SENTENCE = "This form cannot take posts at the moment; try again later"

describe.skipIf(disk === undefined)("while the disk is full", () => {
  let place: Place
  let service: Served
  let form: string
  let waiting: string
  let confirm: string
  let unsubscribe: string[]
  let filler: number
  let posts = 0

  const call = async (method: string, path: string, body?: unknown): Promise<Record<string, string>> =>
    (await service.call(method, path, body)).body
  const opened = async (settings: object) => {
    const fields = ["name", { name: "email", required: true }, "description"]
    return (await call("POST", "/forms", { name: "Contact", fields, ...settings })).url!
  }
  const post = async (url: string, accept: string, size = 12_000) => {
    const body = JSON.stringify({
      name: `A${posts}`,
      email: `a${posts}@example.com`,
      description: "x".repeat(size),
    })
    const headers = { "Content-Type": "application/json", Accept: accept }
    const answer = await fetch(url, { method: "POST", headers, body, redirect: "manual" })
    return { status: answer.status, text: await answer.text() }
  }

  beforeAll(async () => {
    place = openPlace()
    service = await place.serve(["--data", disk!], { LEADDB_WEBHOOK_PRIVATE: "allow" })
    form = await opened({ limit_per_address: 1_000, limit_per_form: 1_000 })
    waiting = await opened({ double_opt_in: true, limit_per_address: 1_000, limit_per_form: 1_000 })
    unsubscribe = []
    for (let i = 0; i < 20; i++) {
      const { id } = await call("POST", "/leads", { name: "B", source: "s", email: `b${i}@example.com` })
      unsubscribe.push((await call("GET", `/leads/${id}/unsubscribe-link`)).url!)
    }
    confirm = `${waiting}/confirm/nothing`
    filler = openSync(join(disk!, "filler"), "w", 0o600)
  })

  // A log that begins anew has room in its file, also on a full disk: posts take it, large ones and then small ones.
  beforeEach(async () => {
    for (const size of [12_000, 1])
      for (let status = 0; status !== 503; posts++) {
        fill()
        status = (await post(form, "application/json", size)).status
      }
  })

  afterAll(async () => {
    await place?.[Symbol.asyncDispose]()
    if (filler) closeSync(filler)
    if (disk) unmount(disk)
  })

  /** Takes all of the disk that is free. */
  function fill(): void {
    const { bavail, bsize } = statfsSync(disk!)
    if (bavail > 0) writeSync(filler, Buffer.alloc(bavail * bsize))
  }

  test.each([
    ["a script", "application/json"],
    ["a browser", "text/html"],
  ])("%s is told that a form cannot take posts now", async (_, accept) => {
    for (const url of [form, waiting]) {
      const { status, text } = await post(url, accept)
      expect(status).toBe(503)
      expect(text).toContain(SENTENCE)
      expect(text).not.toMatch(/disk|full|storage|sqlite|saved/i)
    }
  })

  test("the page of an unsubscribe link says to try again", async () => {
    const refused = await until("no room is left for another", async () => {
      const answer = await fetch(unsubscribe.pop()!, { method: "POST", body: "List-Unsubscribe=One-Click" })
      return answer.status !== 200 && answer
    })
    const text = await refused.text()
    expect(refused.status).toBe(503)
    expect(text).toContain("This cannot be saved at the moment; try again later")
    expect(text).not.toMatch(/disk|storage|sqlite/i)
  })

  test("a program that registers is told that it is not the moment", async () => {
    const body = JSON.stringify({ redirect_uris: ["http://localhost/cb"], client_name: "x".repeat(200) })
    const register = `${new URL(service.mcpUrl).origin}/register`
    const refused = await until("no room is left for another", async () => {
      const answer = await fetch(register, {
        method: "POST",
        body,
        headers: { "Content-Type": "application/json" },
      })
      return answer.status !== 201 && answer
    })
    expect([refused.status, await refused.json()]).toEqual([
      503,
      {
        error: "temporarily_unavailable",
        error_description: "this cannot be done at the moment; try again later",
      },
    ])
  })

  test("pages that write nothing are shown", async () => {
    expect((await fetch(form)).status).toBe(200)
    expect((await fetch(confirm)).status).toBe(404)
  })

  test("the log and those with a key are told, and posts are taken once there is room", async () => {
    expect(service.out() + service.err()).toContain("The disk is full")
    expect(
      await call("POST", "/leads", { name: "C", source: "s", description: "x".repeat(90_000) }),
    ).toMatchObject({
      code: "storage_full",
    })
    ftruncateSync(filler, 0)
    expect((await post(form, "application/json")).status).toBe(201)
  })
})
