// Imports that ask: doubtful merges become pairs of the duplicates queue.
import { describe, expect } from "bun:test"
import { type Call, openTestAccount, test } from "../support/app.ts"
import { compared } from "../support/settled.ts"

const CSV = { "Content-Type": "text/csv" }

async function importing(call: Call, query: string, rows: readonly string[]) {
  const { status, body } = await call("POST", `/leads/import?${query}`, `${rows.join("\n")}\n`, CSV)
  expect(status).toBe(200)
  return body
}

interface Shown {
  id: string
  name: string
  email: string | null
}

async function leadsOf(call: Call) {
  const { body } = await call("GET", "/leads?limit=1000&sort_by=id")
  return body.leads as (Shown &
    Record<string, unknown> & { attributes: { name: string; value: unknown }[] })[]
}

const namesOf = async (call: Call) => (await leadsOf(call)).map(({ name }) => name).toSorted()

async function pairsOf(call: Call, query = "") {
  const { body } = await call("GET", `/duplicates?limit=200${query}`)
  return (body.duplicates as { id: string; a: Shown; b: Shown; reasons: { text: string }[] }[]).map(
    (pair) => ({
      ...pair,
      names: [pair.a.name, pair.b.name],
    }),
  )
}

const OFFICE = {
  name: "Steuerberater Stefan Becker",
  source: "maps",
  source_id: "M1",
  email: "info@becker.de",
}
const HEADER = "name,email,phone,city,source_id"

describe("an import with on_duplicate=ask", () => {
  test("keeps a contact at a shared mailbox apart from the firm, as a pair to decide on", async () => {
    const { call } = await openTestAccount()
    await call("POST", "/leads", OFFICE)
    const row = [HEADER, "Birgit Klein,INFO@becker.de,,Bonn,H7"]
    const report = await importing(call, "source=hubspot&on_duplicate=ask", row)
    expect(report).toMatchObject({
      created: 1,
      merged: 0,
      asked: 1,
      warnings: [{ line: 2, column: "email" }],
    })
    const [firm, contact] = await leadsOf(call)
    expect(firm).toMatchObject(OFFICE)
    expect(contact).toMatchObject({ name: "Birgit Klein", email: null, source: "hubspot", source_id: "H7" })
    expect(contact!.attributes).toMatchObject([{ name: "Shared email", value: "INFO@becker.de" }])
    const [pair] = await pairsOf(call)
    expect(pair).toMatchObject({
      names: [OFFICE.name, "Birgit Klein"],
      state: "open",
      reasons: [{ field: "email", text: "shared mailbox INFO@becker.de" }],
    })
  })

  test("leaves such a pair open where comparing its leads finds nothing in common", async ({ call }) => {
    await call("POST", "/leads", OFFICE)
    await importing(call, "source=h&on_duplicate=ask", [HEADER, "Birgit Klein,info@becker.de,,,"])
    await compared(call)
    expect(await pairsOf(call)).toHaveLength(1)
  })

  test("merges the same file again, and the same contact further down", async ({ call }) => {
    await call("POST", "/leads", OFFICE)
    const rows = [
      HEADER,
      "Birgit Klein,info@becker.de,,,",
      "birgit klein,info@becker.de,,Bonn,",
      "Max,max@becker.de,,,",
    ]
    const query = "source=hubspot&on_duplicate=ask"
    expect(await importing(call, query, rows)).toMatchObject({ created: 2, merged: 1, asked: 1 })
    expect(await importing(call, query, rows)).toMatchObject({ created: 0, merged: 3, asked: 0 })
    expect(await pairsOf(call)).toHaveLength(1)
    const [pair] = await pairsOf(call)
    await call("POST", `/duplicates/${pair!.id}/dismiss`)
    expect(await importing(call, query, rows)).toMatchObject({ created: 0, merged: 3, asked: 0 })
  })

  test.each([
    ["a personal address", "stefan.becker@becker.de", "S. B.", 0],
    [
      "a shared mailbox and a name with its legal form",
      "info@becker.de",
      "Steuerberater Stefan-Becker GmbH",
      0,
    ],
    ["a shared mailbox and a typo", "info@becker.de", "Steuerberater Stefan Beker", 0],
    ["a shared mailbox of another number", "office@becker.de", "Filiale 2", 1],
    ["one of RFC 2142", "postmaster@becker.de", "Birgit Klein", 1],
    ["an address of two units", "haus@becker.de", "Haus B", 1],
  ])("merges by %s unless the names differ", async (_, email, name, asked) => {
    const other: Record<string, string> = { "Filiale 2": "Filiale 1", "Haus B": "Haus A" }
    const { call } = await openTestAccount()
    await call("POST", "/leads", { ...OFFICE, email, ...(other[name] && { name: other[name] }) })
    const report = await importing(call, "source=list&on_duplicate=ask", [HEADER, `${name},${email},,,`])
    expect(report).toMatchObject({ created: asked, merged: 1 - asked, asked })
  })

  test("merges a row by its source_id, whatever mailbox it has", async ({ call }) => {
    await call("POST", "/leads", OFFICE)
    const row = [HEADER, "Birgit Klein,info@becker.de,,,M1"]
    expect(await importing(call, "source=maps&on_duplicate=ask", row)).toMatchObject({ merged: 1, asked: 0 })
    expect(await namesOf(call)).toEqual(["Birgit Klein"])
  })

  test("keeps leads apart whose phone several have; a phone of two merges similar names as before", async () => {
    const { call } = await openTestAccount()
    await call("POST", "/leads", { name: "Dr. Anna Schmidt", source: "maps", phone: "+49 30 1234567" })
    await call("POST", "/leads", { name: "Office Center Mitte", source: "maps", phone: "+49 30 1234567" })
    await call("POST", "/leads", { name: "Bakery Miller", source: "maps", phone: "+49 30 7654321" })
    const rows = [HEADER, "Dr. Anne Schmidt,,030 1234567,,", "Bakery Millers,,030 7654321,,"]
    const query = "source=list&on_duplicate=ask"
    await call("PATCH", "/account", { default_country: "DE" })
    const report = await importing(
      call,
      query,
      rows.map((row) => row.replace("030", "+49 30")),
    )
    expect(report).toMatchObject({ created: 1, merged: 1, asked: 1 })
    expect(await namesOf(call)).toContain("Dr. Anne Schmidt")
    expect((await pairsOf(call)).map(({ names }) => names)).toContainEqual([
      "Dr. Anna Schmidt",
      "Dr. Anne Schmidt",
    ])
  })

  const HOUSEHOLDS: [other: string, of: string, stored: object, row: string, asked: number][] = [
    ["email", "like names", { email: "jan@x.example" }, "Jana Schmidt,jana@x.example,+49 30 8073069,,", 1],
    ["email", "one name", { email: "jan@x.example" }, "Jan Schmidt,other@x.example,+49 30 8073069,,", 1],
    ["id", "one source", { source_id: "1" }, "Jan Schmitt,,+49 30 8073069,,2", 1],
    ["email", "the pushed one alone", {}, "Jan Schmitt,jan@x.example,+49 30 8073069,,", 0],
    ["id", "another source", { source: "maps", source_id: "1" }, "Jan Schmitt,,+49 30 8073069,,2", 0],
  ]
  test.each(HOUSEHOLDS)("with another %s of %s asks about one phone", async (_, __, stored, row, asked) => {
    const { call } = await openTestAccount()
    await call("POST", "/leads", {
      ...{ name: "Jan Schmidt", source: "list", phone: "+49 30 8073069" },
      ...stored,
    })
    const report = await importing(call, "source=list&on_duplicate=ask", [HEADER, row])
    expect(report).toMatchObject({ created: asked, merged: 1 - asked, asked })
    expect(await pairsOf(call)).toHaveLength(asked)
    // The same file again finds its lead.
    const again = await importing(call, "source=list&on_duplicate=ask", [HEADER, row])
    expect(again).toMatchObject({ created: 0 })
  })

  test("counts the rows of the file that have a phone, also those further down", async ({ call }) => {
    const phones = ["Anna Schmidt", "Anne Schmidt", "Arne Schmidt"].map((name) => `${name},,+49 30 55,,`)
    const report = await importing(call, "source=list&on_duplicate=ask", [HEADER, ...phones])
    expect(report).toMatchObject({ created: 3, merged: 0, asked: 2 })
  })

  test("keeps name, source and source_id of a lead of another source, and fills a missing source_id", async () => {
    const { call } = await openTestAccount()
    await call("POST", "/leads", {
      name: "Ada Ltd",
      source: "maps",
      source_id: "M1",
      email: "ada@x.de",
      city: "Ulm",
    })
    await call("POST", "/leads", { name: "Bea", source: "maps", email: "bea@x.de" })
    const rows = [HEADER, "Ada Limited,ada@x.de,,Bonn,H1", "Bea B,bea@x.de,,,H2"]
    await importing(call, "source=hubspot&on_duplicate=ask", rows)
    const [ada, bea] = await leadsOf(call)
    expect(ada).toMatchObject({ name: "Ada Ltd", source: "maps", source_id: "M1", city: "Bonn" })
    expect(bea).toMatchObject({ name: "Bea", source: "maps", source_id: "H2" })
    await importing(call, "source=maps&on_duplicate=ask", [HEADER, "Ada Limited,ada@x.de,,,"])
    expect((await leadsOf(call))[0]).toMatchObject({ name: "Ada Limited" })
  })

  test("is not the default, nor remembered for the next file with the same header", async ({ call }) => {
    await call("POST", "/leads", OFFICE)
    const rows = ["name,email,Seats", "Birgit Klein,info@becker.de,4"]
    await importing(call, "source=list&on_duplicate=ask&map=Seats:attr:seats:number&dry_run=true", rows)
    await importing(call, "source=list&on_duplicate=ask&map=Seats:attr:seats:number", ["name,email,Seats"])
    expect(await importing(call, "source=list", rows)).toMatchObject({ created: 0, merged: 1 })
    expect(await namesOf(call)).toEqual(["Birgit Klein"])
  })

  test("a dry run says what the import does", async ({ call }) => {
    await call("POST", "/leads", OFFICE)
    const name = (i: number) => `${["Anna", "Anne", "Arne", "Bert"][i % 4]} Schmidt`
    const rows = Array.from({ length: 400 }, (_, i) => {
      const email = i % 3 ? `p${i % 40}@x.de` : `info@firm${i % 7}.de`
      return `${name(i)},${i % 5 ? email : OFFICE.email},+49 30 ${i % 11},,`
    })
    const query = "source=list&on_duplicate=ask"
    const plan = await importing(call, `${query}&dry_run=true`, [HEADER, ...rows])
    expect(await namesOf(call)).toEqual([OFFICE.name])
    const report = await importing(call, query, [HEADER, ...rows])
    const same = ({ id: _, dry_run: __, merges: ___, ...rest }: Record<string, unknown>) => rest
    expect(same(plan)).toEqual(same(report))
    expect(report.asked).toBeGreaterThan(10)
    expect((await pairsOf(call)).length).toBeGreaterThanOrEqual(report.asked)
  })

  test("its undo takes its leads and pairs away", async ({ call }) => {
    await call("POST", "/leads", OFFICE)
    const { id } = await importing(call, "source=h&on_duplicate=ask", [
      HEADER,
      "Birgit Klein,info@becker.de,,,",
    ])
    expect((await call("POST", `/imports/${id}/undo`)).body).toMatchObject({ reverted: 1 })
    expect(await namesOf(call)).toEqual([OFFICE.name])
    expect(await pairsOf(call)).toEqual([])
  })

  test("is a policy of imports alone", async ({ call }) => {
    const { status, body } = await call("POST", "/leads?on_duplicate=ask", OFFICE)
    expect([status, body.message]).toEqual([400, expect.stringContaining("overwrite")])
  })
})

describe("the merges of a dry run", () => {
  test("are counted within the file and into leads, with rows, reason and the fields that change", async () => {
    const { call } = await openTestAccount()
    const { body: lead } = await call("POST", "/leads", { name: "Ada", source: "web", email: "ada@x.de" })
    const rows = [HEADER, "Bea,bea@x.de,,,", "Ada L,ada@x.de,,Bonn,", "Bea B,BEA@x.de,,Ulm,"]
    const { merges } = await importing(call, "source=web&dry_run=true", rows)
    expect(merges).toEqual({
      within_file: 1,
      into_leads: 1,
      samples: [
        {
          rows: [3],
          lead_id: lead.id,
          name: "Ada",
          reason: "same email (ada@x.de)",
          changes: { name: ["Ada", "Ada L"], city: [null, "Bonn"] },
        },
        {
          rows: [2, 4],
          name: "Bea",
          reason: "same email (BEA@x.de)",
          changes: { name: ["Bea", "Bea B"], email: ["bea@x.de", "BEA@x.de"], city: [null, "Ulm"] },
        },
      ],
    })
  })

  test("counts all and samples the first hundred; rows that are skipped are no merges", async ({ call }) => {
    await call("POST", "/leads", { name: "Ada", source: "web", email: "ada@x.de" })
    const rows = [HEADER, ...Array.from({ length: 150 }, (_, i) => `Ada ${i},ada@x.de,,,`)]
    const { merges } = await importing(call, "source=web&dry_run=true", rows)
    expect([merges.into_leads, merges.samples.length]).toEqual([150, 100])
    const skipped = await importing(call, "source=web&dry_run=true&on_duplicate=skip", rows)
    expect([skipped.skipped, skipped.merges]).toEqual([150, { within_file: 0, into_leads: 0, samples: [] }])
  })
})
