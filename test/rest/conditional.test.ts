import { describe, expect } from "bun:test"
import { openHeldAccount, openTestAccount, type TestAccount, test } from "../support/app.ts"
import { LEAST } from "../support/lead.ts"

const STRANGE = '"something-else"'

/** Time stands still: a change that changes nothing is an interaction, and its second is part of the tag. */
async function withLead(more: object = {}): Promise<TestAccount & { id: string; tag: string }> {
  const service = await openHeldAccount()
  const { body } = await service.call("POST", "/leads", { ...LEAST, ...more })
  const { headers } = await service.call("GET", `/leads/${body.id}`)
  return { ...service, id: body.id, tag: headers.get("etag")! }
}

describe("the ETag of a lead", () => {
  test("stays while the lead stays, and changes with it, with its score and with its notes", async () => {
    const { call, id, tag } = await withLead()
    expect(tag).toMatch(/^"[0-9a-z]+"$/)
    const tagNow = async () => (await call("GET", `/leads/${id}`)).headers.get("etag")!
    expect(await tagNow()).toBe(tag)
    const changed = await call("PUT", `/leads/${id}`, { city: "Bern" })
    expect(changed.headers.get("etag")).toBe(await tagNow())
    const tags = [tag, await tagNow()]
    await call("POST", `/leads/${id}/notes`, { content: "Called" })
    tags.push(await tagNow())
    await call("POST", "/scoring-rules", { name: "r", expression: "50" })
    await call("POST", `/leads/${id}/score`)
    tags.push(await tagNow())
    expect(new Set(tags).size).toBe(4)
  })

  const KNOWN: [what: string, header: (tag: string) => string, status: number][] = [
    ["the tag", (tag) => tag, 304],
    ["the weak tag", (tag) => `W/${tag}`, 304],
    ["the tag among others", (tag) => `${STRANGE}, ${tag}`, 304],
    ["the tag of a compressed answer", (tag) => tag.replace(/"$/, '-gzip"'), 304],
    ["any", () => "*", 304],
    ["another tag", () => STRANGE, 200],
    ["the tag without quotes", (tag) => tag.replaceAll('"', ""), 200],
  ]
  test.each(KNOWN)("If-None-Match with %s", async (_, header, status) => {
    const { call, id, tag } = await withLead()
    const answer = await call("GET", `/leads/${id}`, undefined, { "If-None-Match": header(tag) })
    expect([answer.status, answer.body === undefined]).toEqual([status, status === 304])
    expect(answer.headers.get("etag")).toBe(tag)
  })

  const GUARDED: [what: string, header: (tag: string) => string, isTaken: boolean][] = [
    ["the tag", (tag) => tag, true],
    ["the tag of a compressed answer", (tag) => tag.replace(/"$/, '-zstd"'), true],
    ["any", () => "*", true],
    ["another tag", () => STRANGE, false],
    ["a weak tag", (tag) => `W/${tag}`, false],
  ]
  test.each(GUARDED)("If-Match with %s guards changes and deletions", async (_, header, isTaken) => {
    const { call, id, tag } = await withLead()
    const headers = { "If-Match": header(tag) }
    for (const method of ["PATCH", "PUT"]) {
      const { body: before } = await call("GET", `/leads/${id}`)
      const answer = await call(method, `/leads/${id}`, { city: before.city }, headers)
      expect([method, answer.status]).toEqual([method, isTaken ? 200 : 412])
      if (!isTaken) expect(answer.body.code).toBe("precondition_failed")
    }
    const deleted = await call("DELETE", `/leads/${id}`, undefined, headers)
    expect(deleted.status).toBe(isTaken ? 204 : 412)
  })

  test("two that change the same state: the second is told", async () => {
    const { call, id, tag } = await withLead()
    const change = (city: string) => call("PUT", `/leads/${id}`, { city }, { "If-Match": tag })
    const statuses = (await Promise.all([change("Bern"), change("Chur")])).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([200, 412])
  })

  test("a request that is sent again is answered as before, though the lead has changed by it", async () => {
    const { call, id, tag } = await withLead()
    const headers = { "If-Match": tag, "Idempotency-Key": "once" }
    const first = await call("PUT", `/leads/${id}`, { city: "Bern" }, headers)
    const again = await call("PUT", `/leads/${id}`, { city: "Bern" }, headers)
    expect([first.status, again.status, again.body]).toEqual([200, 200, first.body])
    expect(again.headers.get("etag")).toBe(first.headers.get("etag"))
  })
})

describe("compression", () => {
  async function withLeads(count: number) {
    const service = await openTestAccount()
    const leads = Array.from({ length: count }, (_, i) => ({ name: `Lead ${i}`, source: "s" }))
    await service.call("POST", "/leads/batch", { leads })
    const get = (accepted: string, path = "/leads?limit=1000") =>
      fetch(service.app.url + path, {
        headers: { "X-API-Key": service.key, "Accept-Encoding": accepted },
        decompress: false,
      })
    return { ...service, get }
  }
  const UNPACK: Record<string, (bytes: Uint8Array<ArrayBuffer>) => Uint8Array> = {
    gzip: (bytes) => Bun.gunzipSync(bytes),
    zstd: (bytes) => Bun.zstdDecompressSync(bytes),
  }

  const ACCEPTED: [accepted: string, coding: string | null][] = [
    ["gzip", "gzip"],
    ["zstd", "zstd"],
    ["gzip, deflate, br, zstd", "zstd"],
    ["GZIP;q=0.8, zstd;q=0.5", "gzip"],
    ["zstd;q=0, gzip", "gzip"],
    ["br", null],
    ["identity", null],
    ["gzip;q=0", null],
  ]
  test.each(ACCEPTED)("of a list for %p is %p", async (accepted, coding) => {
    const { get } = await withLeads(40)
    const answer = await get(accepted)
    expect([answer.headers.get("content-encoding"), answer.headers.get("vary")]).toEqual([
      coding,
      "Accept-Encoding",
    ])
    const bytes = new Uint8Array(await answer.arrayBuffer())
    const text = new TextDecoder().decode(coding ? UNPACK[coding]!(bytes) : bytes)
    expect(JSON.parse(text).count).toBe(40)
    const plain = await (await get("identity")).text()
    expect(text).toBe(plain)
    if (coding) expect(bytes.length).toBeLessThan(plain.length / 5)
  })

  test("of a long answer is the same text", async () => {
    const { get, call } = await withLeads(500)
    const { body } = await call("GET", "/leads?limit=1")
    await call("PUT", `/leads/${body.leads[0].id}`, { description: "ü".repeat(90_000) })
    const plain = await (await get("identity")).text()
    for (const coding of ["gzip", "zstd"]) {
      const answer = await get(coding)
      const bytes = new Uint8Array(await answer.arrayBuffer())
      expect([coding, new TextDecoder().decode(UNPACK[coding]!(bytes)) === plain]).toEqual([coding, true])
    }
  })

  test("leaves short answers and errors as they are", async () => {
    const { get } = await withLeads(1)
    for (const path of ["/scoring-rules", "/leads?limit=0", "/leads?fields=name"])
      expect([path, (await get("gzip", path)).headers.get("content-encoding")]).toEqual([path, null])
  })

  test("gives a lead's answer a tag of its own, which guards changes as well", async () => {
    const { get, call } = await withLeads(1)
    const { body } = await call("GET", "/leads")
    const { id } = body.leads[0]
    await call("PUT", `/leads/${id}`, { description: "x".repeat(2_000) })
    const plain = (await get("identity", `/leads/${id}`)).headers.get("etag")!
    const packed = (await get("gzip", `/leads/${id}`)).headers.get("etag")!
    expect(packed).toBe(plain.replace(/"$/, '-gzip"'))
    expect((await call("PUT", `/leads/${id}`, { city: "Bern" }, { "If-Match": packed })).status).toBe(200)
  })
})

describe("compressed bodies", () => {
  const send = ({ app, key }: TestAccount, body: Uint8Array<ArrayBuffer>, coding?: string, path = "/leads") =>
    fetch(app.url + path, {
      method: "POST",
      headers: {
        ...{ "X-API-Key": key, "Content-Type": "application/json" },
        ...(coding !== undefined && { "Content-Encoding": coding }),
      },
      body,
    })
  const packed = (text: string) => Bun.gzipSync(new TextEncoder().encode(text))

  test("are taken as gzip", async (service) => {
    const answer = await send(service, packed(JSON.stringify(LEAST)), "gzip")
    expect(answer.status).toBe(201)
  })

  const REFUSED: [
    what: string,
    body: Uint8Array<ArrayBuffer>,
    coding: string | undefined,
    status: number,
    message: RegExp,
  ][] = [
    [
      "gzip without a word",
      packed("{}"),
      undefined,
      400,
      /^The body is gzip: say so by Content-Encoding: gzip$/,
    ],
    ["another coding", packed("{}"), "br", 400, /^Content-Encoding "br" is not taken: send the body as gzip/],
    ["no gzip", new TextEncoder().encode("{}"), "gzip", 400, /^The body is not gzip, though/],
    [
      "half of one",
      packed(JSON.stringify(LEAST)).subarray(0, 30),
      "gzip",
      400,
      /^The body is not gzip, though/,
    ],
    [
      "one that grows past the limit",
      packed(" ".repeat(2 ** 20 + 1)),
      "gzip",
      413,
      /^The body is larger than 1 MiB/,
    ],
  ]
  test.each(REFUSED)("%s is refused", async (_, body, coding, status, message) => {
    const answer = await send(await openTestAccount(), body, coding)
    expect([answer.status, await answer.json()]).toMatchObject([
      status,
      { message: expect.stringMatching(message) },
    ])
  })

  test("files say by themselves that they are packed", async (service) => {
    const answer = await send(service, packed("name,source\nA,b\n"), "gzip", "/leads/import?format=csv")
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { message: expect.stringMatching(/a packed file is sent as it is, without this header/) },
    ])
  })
})

test("a change that changes nothing leaves no change in the trail and sends no event", async () => {
  const { call, id } = await withLead({ city: "Bern", tags: ["a"] })
  const attribute = { name: "seats", type: "number", value: 4 }
  const { body: made } = await call("POST", `/leads/${id}/attributes`, attribute)
  const count = async () => (await call("GET", `/leads/${id}/changes`)).body.count
  const before = await count()
  for (const [method, path, body] of [
    ["PUT", `/leads/${id}`, { city: "Bern" }],
    ["PATCH", `/leads/${id}`, {}],
    ["PUT", `/leads/${id}`, (await call("GET", `/leads/${id}`)).body],
    ["PUT", `/leads/${id}/attributes/${made.id}`, { value: 4 }],
    ["PUT", "/leads/batch", { ids: [id], data: { tags: ["a"] } }],
  ] as const)
    expect([path, (await call(method, path, body)).status, await count()]).toEqual([path, 200, before])
  await call("PUT", `/leads/${id}`, { city: "Chur" })
  expect(await count()).toBe(before + 1)
})
