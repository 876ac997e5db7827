import { describe, expect } from "bun:test"
import { openHeldAccount, openHeldApp, type TestAccount } from "../support/app.ts"
import { errorBody, FULL, LEAST, NO_LEAD } from "../support/lead.ts"
import { watchOutbox } from "../support/outbox.ts"
import { testWith } from "../support/test-with.ts"

const NOTE_ID = /^note_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const NO_NOTE = NO_LEAD.replace("cl_", "note_")
const noNote = errorBody("Not Found", "not_found", "Note not found")
const noLead = errorBody("Not Found", "not_found", "Lead not found")

async function withLead<App extends TestAccount>(app: App) {
  const { id } = (await app.call("POST", "/leads", FULL)).body
  return { ...app, id, notes: `/leads/${id}/notes` }
}
const openWithLead = async () => withLead(await openHeldAccount())
const test = testWith(openWithLead)

describe("a note", () => {
  test("is added with 201 and listed, the oldest first", async ({ call, clock, id, notes }) => {
    expect((await call("GET", notes)).body).toEqual([])
    const first = await call("POST", notes, { content: "Called.\nWill call back. ☎ 你好" })
    expect(first.status).toBe(201)
    expect(first.body).toEqual({
      id: expect.stringMatching(NOTE_ID),
      lead_id: id,
      content: "Called.\nWill call back. ☎ 你好",
      author: "default",
      created_at: clock.seconds(),
      updated_at: clock.seconds(),
    })
    clock.advance(1_000)
    const second = await call("POST", notes, { content: "Called back." }, { "X-Actor-Id": "Eva" })
    expect(second.body.author).toBe("Eva")
    const { status, body } = await call("GET", notes)
    expect(status).toBe(200)
    expect(body).toEqual([first.body, second.body])
  })

  test("is edited: content and updated_at change, nothing else", async ({ call, clock, notes }) => {
    const { body: note } = await call("POST", notes, { content: "one" })
    const { body: other } = await call("POST", notes, { content: "other" })
    clock.advance(60_000)
    const { status, body } = await call("PUT", `/notes/${note.id}`, { content: "two" })
    expect(status).toBe(200)
    expect(body).toEqual({ ...note, content: "two", updated_at: clock.seconds() })
    expect((await call("GET", notes)).body).toEqual([body, other])
  })

  test("that was read can be sent back; what the service sets in it is passed over", async () => {
    const { call, notes } = await openWithLead()
    const { body: note } = await call("POST", notes, { content: "one" })
    const sent = { ...note, content: "two", id: NO_NOTE, lead_id: NO_LEAD, author: "x", created_at: 1 }
    const { status, body } = await call("PUT", `/notes/${note.id}`, sent)
    expect(status).toBe(200)
    expect(body).toEqual({ ...note, content: "two" })
  })

  test("is deleted with 204, and then it is missing", async ({ call, notes }) => {
    const { body: note } = await call("POST", notes, { content: "one" })
    const { status, body } = await call("DELETE", `/notes/${note.id}`)
    expect([status, body]).toEqual([204, undefined])
    expect((await call("GET", notes)).body).toEqual([])
    for (const method of ["PUT", "DELETE"]) {
      const again = await call(method, `/notes/${note.id}`, { content: "two" })
      expect([again.status, again.body]).toEqual([404, noNote])
    }
  })

  test("goes with its lead", async ({ call, id, notes }) => {
    const { body: note } = await call("POST", notes, { content: "one" })
    await call("DELETE", `/leads/${id}`)
    expect((await call("GET", notes)).body).toEqual(noLead)
    expect((await call("PUT", `/notes/${note.id}`, { content: "two" })).body).toEqual(noNote)
  })

  test("leaves its lead as it is, its times and its trail too", async ({ call, clock, id, notes }) => {
    const before = (await call("GET", `/leads/${id}`)).body
    clock.advance(60_000)
    const { body: note } = await call("POST", notes, { content: "one" })
    await call("PUT", `/notes/${note.id}`, { content: "two" })
    await call("DELETE", `/notes/${note.id}`)
    expect((await call("GET", `/leads/${id}`)).body).toEqual(before)
    expect((await call("GET", `/leads/${id}/changes`)).body.count).toBe(1)
  })

  test("belongs to one lead", async ({ call, notes }) => {
    const { body: other } = await call("POST", "/leads", LEAST)
    await call("POST", notes, { content: "one" })
    expect((await call("GET", `/leads/${other.id}/notes`)).body).toEqual([])
  })

  test("is not lost among notes that are added at the same time", async ({ call, notes }) => {
    const contents = Array.from({ length: 30 }, (_, i) => `note ${i}`)
    await Promise.all(contents.map((content) => call("POST", notes, { content })))
    const { body } = await call("GET", notes)
    expect(body.map((note: { content: string }) => note.content).toSorted()).toEqual(contents.toSorted())
    const ids = body.map((note: { id: string }) => note.id)
    expect(ids).toEqual(ids.toSorted())
  })
})

describe("content", () => {
  const refused: [what: string, body: unknown, message: string][] = [
    ["missing", {}, "content is required"],
    ["empty", { content: "" }, "content is required"],
    ["blank", { content: " \n\t " }, "content is required"],
    ["null", { content: null }, "content is required"],
    ["a number", { content: 5 }, "content must be text"],
    ["a list", { content: ["a"] }, "content must be text"],
    ["too long", { content: "x".repeat(100_001) }, "content must be at most 100,000 characters"],
    ["with NUL", { content: "a\0b" }, "content must be well-formed Unicode without NUL characters"],
    [
      "half a character",
      '{"content":"\\ud800"}',
      "content must be well-formed Unicode without NUL characters",
    ],
    ["under another name", { text: "a" }, "content is required"],
    ["with more", { content: "a", pinned: true }, "pinned is not known here"],
  ]
  test.each(refused)("%s is refused", async (_what, body, message) => {
    const { call, notes } = await openWithLead()
    const { body: note } = await call("POST", notes, { content: "as it was" })
    const made = await call("POST", notes, body)
    expect(made.status).toBe(400)
    expect(made.body.message).toStartWith(message)
    const edited = await call("PUT", `/notes/${note.id}`, body)
    expect(edited.status).toBe(400)
    expect(edited.body.message).toStartWith(message)
    expect((await call("GET", notes)).body).toEqual([note])
  })

  test("may have 100,000 characters", async ({ call, notes }) => {
    const content = "ü".repeat(100_000)
    const { status, body } = await call("POST", notes, { content })
    expect(status).toBe(201)
    expect(body.content).toBe(content)
  })
})

test("every change of a note is an event with the full note, and what was refused is none", async () => {
  const { call, clock, config, notes } = await withLead(await openHeldApp())
  const events = await watchOutbox(config.file)
  const { body: note } = await call("POST", notes, { content: "one" })
  clock.advance(5_000)
  const { body: edited } = await call("PUT", `/notes/${note.id}`, { content: "two" })
  await call("PUT", `/notes/${note.id}`, { content: "" })
  await call("PUT", `/notes/${NO_NOTE}`, { content: "two" })
  await call("DELETE", `/notes/${note.id}`)
  await call("DELETE", `/notes/${note.id}`)
  expect(await events()).toEqual([
    { event: "note.created", timestamp: note.created_at, data: note },
    { event: "note.updated", timestamp: clock.seconds(), data: edited },
    { event: "note.deleted", timestamp: clock.seconds(), data: edited },
  ])
})
