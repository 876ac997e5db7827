import { describe, expect } from "bun:test"
import { appTest, type Call, heldTest, openTestAccount, openTestApp, test } from "../support/app.ts"
import { LEAST } from "../support/lead.ts"
import { type Change, openStream } from "../support/stream.ts"
import { until } from "../support/until.ts"

const numbers = (n: number) => Array.from({ length: n }, (_, i) => i)

/** Every page from a cursor on, until there is no more. */
async function readAll(call: Call, query: string, cursor?: string) {
  const changes: Change[] = []
  for (let at = cursor; ; ) {
    const { status, body } = await call("GET", `/changes?${query}${at ? `&cursor=${at}` : ""}`)
    expect(status).toBe(200)
    changes.push(...body.changes)
    expect(body.count).toBe(body.changes.length)
    at = body.next_cursor
    if (!body.has_more) return { changes, cursor: at as string }
  }
}

describe("GET /changes", () => {
  test("holds the records of every lead, newest first, with what they belong to", async ({ call }) => {
    const { id } = (await call("POST", "/leads", { ...LEAST, city: "Ulm" })).body
    await call("PUT", `/leads/${id}`, { city: "Bonn" })
    const { body } = await call("GET", "/changes")
    const ofLead = (await call("GET", `/leads/${id}/changes`)).body.changes
    expect(body).toMatchObject({ count: 2, has_more: false, next_cursor: null })
    expect(body.changes).toEqual(
      ofLead.map((change: Change) => ({
        ...change,
        key_id: change.actor_id,
        import_id: null,
        batch_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      })),
    )
  })

  heldTest("view=diff shows what differs instead of whole leads", async ({ call, clock }) => {
    const attributes = [{ name: "size", type: "number", value: 3 }]
    const { id } = (await call("POST", "/leads", { ...LEAST, city: "Ulm", attributes })).body
    const made = clock.seconds()
    clock.advance(5_000)
    const [attribute] = (await call("GET", `/leads/${id}/attributes`)).body
    await call("PUT", `/leads/${id}`, { city: "Bonn", tags: ["a"] })
    await call("PUT", `/leads/${id}/attributes/${attribute.id}`, { value: 4 })
    await call("PUT", `/leads/${id}`, { city: "Bonn" })
    await call("DELETE", `/leads/${id}`)
    const { changes } = (await call("GET", "/changes?view=diff&order=asc")).body
    const now = clock.seconds()
    expect(changes.map(({ diff }: Change) => diff)).toEqual([
      {
        name: [null, LEAST.name],
        source: [null, LEAST.source],
        city: [null, "Ulm"],
        status: [null, "new"],
        created_at: [null, made],
        updated_at: [null, made],
        last_interaction_at: [null, made],
        "attr:size": [null, 3],
        score: [null, 0],
      },
      { city: ["Ulm", "Bonn"], tags: [[], ["a"]], updated_at: [made, now], last_interaction_at: [made, now] },
      { "attr:size": [3, 4] },
      expect.objectContaining({ city: ["Bonn", null], "attr:size": [4, null] }),
    ])
    expect(changes[0]).not.toHaveProperty("before")
  })

  test("is read to its end in pages of any size, from either end, and on from there", async ({ call }) => {
    const leads = numbers(70).map((i) => ({ name: `n${i}`, source: "s" }))
    const { body } = await call("POST", "/leads/batch", { leads })
    const ids: string[] = body.created.map(({ id }: { id: string }) => id)
    await call("PUT", "/leads/batch", { ids, data: { city: "Ulm" } })
    for (const limit of [1, 7, 64, 1_000]) {
      const up = await readAll(call, `order=asc&limit=${limit}`)
      expect(up.changes.map(({ lead_id }) => lead_id)).toEqual([...ids, ...ids])
      expect(new Set(up.changes.map((change) => change.id)).size).toBe(140)
      const down = await readAll(call, `order=desc&limit=${limit}`)
      expect(down.changes).toEqual(up.changes.toReversed())
    }
    const { cursor } = await readAll(call, "order=asc&limit=50")
    expect((await readAll(call, "order=asc", cursor)).changes).toEqual([])
    await call("DELETE", `/leads/${ids[3]}`)
    const more = await readAll(call, "order=asc", cursor)
    expect(more.changes).toMatchObject([{ action: "deleted", lead_id: ids[3], after: null }])
  })

  test("everything that one request did shares the batch_id of its answer", async ({ call }) => {
    const leads = numbers(40).map((i) => ({ name: `n${i}`, source: "s" }))
    const made = (await call("POST", "/leads/batch", { leads })).body
    const ids = made.created.map(({ id }: { id: string }) => id)
    const changed = (await call("PUT", "/leads/batch", { ids, data: { city: "Ulm" } })).body
    const gone = (await call("DELETE", "/leads/batch", { ids: ids.slice(0, 5) })).body
    await call("POST", "/leads", LEAST)
    for (const [batch, count, action] of [
      [made.batch_id, 40, "created"],
      [changed.batch_id, 40, "updated"],
      [gone.batch_id, 5, "deleted"],
    ]) {
      const { changes } = await readAll(call, `batch_id=${batch}&limit=7`)
      expect(changes).toHaveLength(count)
      for (const change of changes) expect(change).toMatchObject({ batch_id: batch, action })
    }
    const [alone] = (await call("GET", "/changes")).body.changes
    expect((await readAll(call, `batch_id=${alone.batch_id}`)).changes).toEqual([alone])
    expect((await readAll(call, `batch_id=${Bun.randomUUIDv7()}`)).changes).toEqual([])
  })

  heldTest("takes every filter, alone and together", async ({ call, clock }) => {
    const start = clock.seconds()
    const one = (await call("POST", "/leads", { ...LEAST, email: "a@x.y" })).body.id
    clock.advance(100_000)
    await call("POST", "/leads", { ...LEAST, name: "Another", email: "a@x.y" }, { "X-Actor-Id": "anna" })
    clock.advance(100_000)
    const attributes = [{ name: "size", type: "number", value: 3 }]
    const two = (await call("POST", "/leads", { name: "Two", source: "s", attributes })).body.id
    clock.advance(100_000)
    await call("PUT", `/leads/${two}`, { city: "Ulm" })
    await call("DELETE", `/leads/${one}`)
    const [{ id: key }] = (await call("GET", "/api-keys")).body
    const found = async (query: string) =>
      (await readAll(call, `order=asc&${query}`)).changes.map(({ action, lead_id }) => [
        action,
        lead_id === one ? 1 : 2,
      ])
    expect(await found(`lead_id=${one}`)).toEqual([
      ["created", 1],
      ["merged", 1],
      ["deleted", 1],
    ])
    expect(await found("action=created")).toEqual([
      ["created", 1],
      ["created", 2],
    ])
    expect(await found("actor_id=anna")).toEqual([["merged", 1]])
    expect(await found("actor_id=nobody")).toEqual([])
    expect(await found(`key_id=${key}`)).toHaveLength(5)
    expect(await found("field=city")).toEqual([["updated", 2]])
    expect(await found("field=name")).toEqual([
      ["created", 1],
      ["merged", 1],
      ["created", 2],
      ["deleted", 1],
    ])
    expect(await found("field=attr:size")).toEqual([["created", 2]])
    expect(await found(`since=${start + 100}&until=${start + 200}`)).toEqual([
      ["merged", 1],
      ["created", 2],
    ])
    expect(await found(`action=created&since=${start + 1}`)).toEqual([["created", 2]])
    const written = new Date((start + 1) * 1000).toISOString()
    expect(await found(`action=created&since=${written}`)).toEqual([["created", 2]])
    expect(await found("until=2025-12-31")).toEqual([])
  })

  test("says what is wrong with what is asked", async ({ call }) => {
    await call("POST", "/leads", LEAST)
    const { next_cursor: cursor } = (await call("GET", "/changes?order=asc")).body
    for (const [query, message] of [
      ["since=sometime", "since must be a time"],
      ["until=-1", "until must be a time"],
      ["limit=1001", "limit must be a whole number from 1 to 1,000"],
      ["order=up", "order must be one of asc, desc"],
      ["action=read", "action must be one of"],
      ["view=none", "view must be one of full, diff"],
      ["wait=26&order=asc", "wait must be a whole number from 0 to 25"],
      ["wait=1", "wait is for order=asc"],
      ["cursor=nonsense", "cursor does not belong to this trail"],
      [`cursor=${cursor}`, "cursor does not belong to this trail"],
      [`order=asc&action=created&cursor=${cursor}`, "cursor does not belong to this trail"],
    ]) {
      const { status, body } = await call("GET", `/changes?${query}`)
      expect([status, body.message]).toEqual([400, expect.stringContaining(message!)])
    }
  })

  test("is each account's own", async ({ call, addAccount, as }) => {
    const other = as((await addAccount()).key)
    const { id } = (await call("POST", "/leads", LEAST)).body
    const { next_cursor: cursor, changes } = (await call("GET", "/changes?order=asc")).body
    expect((await other("GET", "/changes?order=asc")).body.changes).toEqual([])
    expect((await other("GET", `/changes?lead_id=${id}`)).body.changes).toEqual([])
    expect((await other("GET", `/changes?batch_id=${changes[0].batch_id}`)).body.changes).toEqual([])
    expect((await other("GET", `/changes?order=asc&cursor=${cursor}`)).status).toBe(400)
  })
})

describe("GET /changes?wait", () => {
  test("answers as soon as there is a change", async ({ call }) => {
    await call("POST", "/leads", LEAST)
    const { cursor } = await readAll(call, "order=asc")
    const waiting = call("GET", `/changes?order=asc&wait=25&cursor=${cursor}`)
    const { id } = (await call("POST", "/leads", LEAST)).body
    const { body } = await waiting
    expect(body.changes).toMatchObject([{ lead_id: id, action: "created" }])
    const next = await call("GET", `/changes?order=asc&wait=1&cursor=${body.next_cursor}`)
    expect(next.body).toMatchObject({ changes: [], has_more: false })
  })

  appTest("hears of what another process writes", async ({ call, config, key }) => {
    const second = await openTestApp({ data: config.data, file: config.file, bootstrap: false })
    const waiting = call("GET", "/changes?order=asc&wait=25")
    const made = await fetch(`${second.app.url}/leads`, {
      method: "POST",
      headers: { "X-API-Key": key },
      body: JSON.stringify(LEAST),
    })
    expect(made.status).toBe(201)
    expect((await waiting).body.changes).toHaveLength(1)
  })
})

describe("GET /changes as a stream", () => {
  test("sends every change, also those to come, and goes on behind Last-Event-ID", async () => {
    const { call, app, key } = await openTestAccount()
    const ids: string[] = []
    const create = async () => void ids.push((await call("POST", "/leads", LEAST)).body.id)
    await create()
    await create()
    const stream = await openStream(`${app.url}/changes`, key)
    expect(stream.response.headers.get("content-type")).toBe("text/event-stream")
    const first = (await stream.next())!
    expect(first.change).toMatchObject({ action: "created", lead_id: ids[0], before: null })
    expect((await stream.next())!.change.lead_id).toBe(ids[1]!)
    const third = stream.next()
    await create()
    expect((await third)!.change.lead_id).toBe(ids[2]!)
    stream.close()
    const again = await openStream(`${app.url}/changes?view=diff`, key, { "Last-Event-ID": first.id })
    const { change } = (await again.next())!
    expect(change).toMatchObject({ lead_id: ids[1]!, diff: { name: [null, LEAST.name] } })
    again.close()
    const fresh = await openStream(`${app.url}/changes?cursor=now`, key)
    const next = fresh.next()
    await create()
    expect((await next)!.change.lead_id).toBe(ids[3]!)
    fresh.close()
  })

  appTest("of a browser goes on while its session does", async ({ call, app, key, config }) => {
    const joined = await fetch(`${app.url}/sessions`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ key }),
    })
    const { id } = (await joined.json()) as { id: string }
    const Cookie = joined.headers.get("set-cookie")!.split(";")[0]!
    const stream = await openStream(`${app.url}/changes?cursor=now`, "", {
      Cookie,
      "Sec-Fetch-Site": "same-origin",
    })
    await call("POST", "/leads", LEAST)
    const { action, lead_id } = (await stream.next())!.change
    expect(action).toBe("created")
    // A note is in no trail: the page hears that something is new, also from another process.
    const second = await openTestApp({ data: config.data, file: config.file, bootstrap: false })
    const before = stream.touches()
    await second.as(key)("POST", `/leads/${lead_id}/notes`, { content: "Call back" })
    const next = stream.next()
    await until("the stream tells of it", () => stream.touches() > before)
    await call("POST", "/leads", { ...LEAST, name: "Third" })
    expect((await next)!.change.action).toBe("created")
    await call("DELETE", `/sessions/${id}`)
    const end = stream.next()
    await call("POST", "/leads", { ...LEAST, name: "Another" })
    expect(await end).toBeUndefined()
  })

  appTest("ends when its key is revoked, and when the service stops", async ({ call, app, key, close }) => {
    const { key: other, id } = (await call("POST", "/api-keys", { name: "k" })).body
    const revoked = await openStream(`${app.url}/changes`, other)
    const stopped = await openStream(`${app.url}/changes?cursor=now&action=deleted`, key)
    await call("DELETE", `/api-keys/${id}`)
    await call("POST", "/leads", LEAST)
    expect(await revoked.next()).toBeUndefined()
    const end = stopped.next()
    await close()
    expect(await end).toBeUndefined()
  })

  heldTest("ends with a key that has an end", async ({ call, clock, app }) => {
    const { body } = await call("POST", "/api-keys", { name: "k", expires_at: clock.seconds() + 60 })
    const stream = await openStream(`${app.url}/changes?cursor=now`, body.key)
    await call("POST", "/leads", LEAST)
    expect((await stream.next())!.change.action).toBe("created")
    clock.advance(60_000)
    const end = stream.next()
    await call("POST", "/leads", { ...LEAST, name: "Another" })
    expect(await end).toBeUndefined()
  })

  test("a request that waits is told nothing that came after its key", async ({ call, as }) => {
    const { body } = await call("POST", "/api-keys", { name: "k", role: "viewer" })
    const { next_cursor } = (await call("GET", "/changes?order=asc")).body
    const waiting = as(body.key)(
      "GET",
      `/changes?order=asc&wait=20&cursor=${encodeURIComponent(next_cursor)}`,
    )
    await Bun.sleep(200)
    expect((await call("DELETE", `/api-keys/${body.id}`)).status).toBe(204)
    await call("POST", "/leads", LEAST)
    expect((await waiting).status).toBe(401)
  })

  test("an account has a share of places, and what ends gives its place back", async () => {
    const { call, app, key, addAccount } = await openTestAccount()
    const open = () => openStream(`${app.url}/changes?cursor=now`, key)
    const streams = await Promise.all(numbers(32).map(open))
    const refused = await call("GET", "/changes?order=asc&wait=1")
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "10"])
    expect((await call("GET", "/changes?order=asc")).status).toBe(200)
    const other = await addAccount()
    const theirs = await openStream(`${app.url}/changes?cursor=now`, other.key)
    expect(theirs.response.status).toBe(200)
    for (const stream of [...streams, theirs]) stream.close()
    for (;;) {
      const again = await call("GET", "/changes?order=asc&wait=1")
      if (again.status === 200) break
      expect(again.status).toBe(429)
    }
  })
})
