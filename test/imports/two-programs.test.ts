// Programs count their records from 1: equal ids of two of them are two leads.
import { expect, test } from "bun:test"
import { openTestAccount } from "../support/app.ts"

const HUBSPOT = `Record ID,First Name,Last Name,Email,Phone Number,Lifecycle Stage,Lead Status,Contact owner,Create Date
1,Anna,Meier,anna@example.com,+49 731 100001,Lead,New,Kim,2024-05-01 10:00
2,Carla,Huber,,,Lead,New,Kim,2024-05-01 10:00
`
const PIPEDRIVE = `Person - ID,Person - Name,Person - Email,Person - Phone,Person - Organization,Person - Owner
1,Ben Sommer,ben@example.org,+49 30 200002,Sommer AG,Kim
2,Dora Winter,,,Winter AG,Kim
3,Carla Huber,,,Huber AG,Kim
`

async function open() {
  const opened = await openTestAccount()
  async function send(text: string, query = "") {
    const headers = { "X-API-Key": opened.key, "Content-Type": "text/csv" }
    const answer = await fetch(`${opened.app.url}/leads/import?${query}`, {
      method: "POST",
      headers,
      body: text,
    })
    // biome-ignore lint/suspicious/noExplicitAny: a report of any shape
    const report = (await answer.json()) as any
    expect([answer.status, report.errors]).toEqual([200, []])
    return report
  }
  async function leads() {
    const { body } = await opened.call("GET", "/leads?sort_by=name")
    return (body.leads ?? body).map((lead: Record<string, unknown>) => {
      const attributes = lead.attributes as { name: string; value: unknown }[]
      const id = attributes.find(({ name }) => name === "Person - ID")?.value
      return [lead.name, lead.source_id, id].filter((one) => one != null).join(" ")
    })
  }
  return { ...opened, send, leads }
}

const BOTH = ["Anna Meier 1", "Ben Sommer 1", "Carla Huber 2", "Carla Huber 3", "Dora Winter 2"]

test("equal record ids of two programs are two leads, with a warning that names row and value", async () => {
  const { send, leads } = await open()
  expect(await send(HUBSPOT)).toMatchObject({ created: 2, preset: "hubspot" })
  for (const query of ["dry_run=true", ""]) {
    const report = await send(PIPEDRIVE, query)
    expect(report).toMatchObject({ created: 3, merged: 0, preset: "pipedrive" })
    expect(report.warnings).toMatchObject([
      {
        line: 2,
        column: "Person - ID",
        value: "1",
        message:
          'Person - ID "1" is the source_id of another record, "Anna Meier" from hubspot: the row is a lead of its own, and its id is saved as the attribute "Person - ID"',
      },
      { line: 3, column: "Person - ID", value: "2" },
    ])
  }
  expect(await leads()).toEqual(BOTH)
})

test("each file merges into its own leads when it comes again", async () => {
  const { send, leads } = await open()
  await send(HUBSPOT)
  await send(PIPEDRIVE)
  for (const query of ["dry_run=true", ""]) {
    expect(await send(HUBSPOT, query)).toMatchObject({ created: 0, merged: 2 })
    expect(await send(PIPEDRIVE, query)).toMatchObject({ created: 0, merged: 3 })
  }
  expect(await leads()).toEqual(BOTH)
  // Renamed at its program: the record tells that it is the same.
  const renamed = PIPEDRIVE.replace("Dora Winter", "Dora Sommer-Frey")
  expect(await send(renamed)).toMatchObject({ created: 0, merged: 3 })
  expect(await leads()).toContain("Dora Sommer-Frey 2")
})

test.each([
  ["email", "1,Ben Sommer,anna@example.com,,,"],
  ["phone", "1,Ben Sommer,,+49 731 100001,,"],
  ["name", "1,Anna Meier,,,,"],
])("an id merges where the %s agrees", async (_, row) => {
  const { send } = await open()
  await send(HUBSPOT)
  const report = await send(`${PIPEDRIVE.split("\n")[0]}\n${row}\n`)
  expect(report).toMatchObject({ created: 0, merged: 1, warnings: [] })
})

test.each([
  ["its own header", PIPEDRIVE.replace("Person - ID", "source_id"), ""],
  ["what a person maps", PIPEDRIVE, "map=Person - ID:source_id"],
  ["an equal source", PIPEDRIVE, "source=hubspot"],
])("an id merges by %s", async (_, file, query) => {
  const { send } = await open()
  await send(HUBSPOT)
  expect(await send(file, query)).toMatchObject({ merged: 2, created: 1 })
})

test("a file that names no program, and rows that name a source, are told apart by their contacts", async () => {
  const { send } = await open()
  expect(await send("Record ID,Name,Email\n1,Anna Meier,anna@example.com\n")).toMatchObject({ created: 1 })
  const other = "Contact ID,Name,Email\n1,Ben Sommer,ben@example.org\n"
  expect(await send(other)).toMatchObject({ created: 1, merged: 0 })
  expect(await send(other)).toMatchObject({ created: 0, merged: 1 })
  const renamed = "Record ID,Name,Email\n1,Anna Frey,anna@example.com\n"
  expect(await send(renamed)).toMatchObject({ created: 0, merged: 1 })
})

test("an id that any program may have merges a row of another name, with a warning", async () => {
  const { send, leads } = await open()
  await send("ID,Nome\n1,Anna\n2,Bob Brown\n")
  for (const query of ["dry_run=true", ""]) {
    const report = await send("ID,Nome\n1,Carl\n2,Bob Brown\n", query)
    expect(report).toMatchObject({ merged: 2 })
    expect(report.warnings).toMatchObject([{ line: 2, column: "ID", value: "1", kind: "conflict" }])
    expect(report.warnings[0].message).toContain('was "Anna"')
  }
  expect(await leads()).toEqual(["Bob Brown 2", "Carl 1"])
})

test("an undone import leaves nothing by which its records were found", async () => {
  const { send, call, leads } = await open()
  await send(HUBSPOT)
  const { id } = await send(PIPEDRIVE)
  expect((await call("POST", `/imports/${id}/undo`)).status).toBe(200)
  expect(await leads()).toEqual(["Anna Meier 1", "Carla Huber 2"])
  expect(await send(PIPEDRIVE)).toMatchObject({ created: 3, merged: 0 })
})
