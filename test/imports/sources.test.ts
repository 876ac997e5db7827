import { describe, expect, test } from "bun:test"
import { gzipSync } from "node:zlib"
import { readPostalAddress } from "../../src/domain/imports/convert/postal-address.ts"
import { readFile } from "./reading.ts"
import { ROWS } from "./records.ts"
import { type Source, sources } from "./sources.ts"

/** The leads of a file as an import without any option makes them. */
async function read({ content, file }: Pick<Source, "content" | "file">) {
  const { rows, columns } = await readFile(content, file)
  return { leads: rows, preset: columns.preset }
}

function compare(leads: readonly object[], want: readonly Record<string, unknown>[]) {
  const wrong: string[] = []
  let right = 0
  for (const [i, expected] of want.entries()) {
    const read = leads[i] as { lead?: Record<string, unknown> }
    const { attributes: _, emails, phones, owner: __, ...lead } = read.lead ?? {}
    for (const [list, first] of [
      [emails, lead.email],
      [phones, lead.phone],
    ] as [{ value: string }[] | undefined, unknown][])
      if (list && (list.length < 2 || list[0]!.value !== first))
        wrong.push(`row ${i}: ${JSON.stringify(list)}`)
    for (const field of new Set([...Object.keys(expected), ...Object.keys(lead)])) {
      if (Bun.deepEquals(lead[field], expected[field])) right++
      else
        wrong.push(
          `row ${i} ${field}: ${JSON.stringify(lead[field])} instead of ${JSON.stringify(expected[field])}`,
        )
    }
  }
  return { right, wrong }
}

describe("without a flag every row goes in, with every value in its field", () => {
  test.each(sources.map((source) => [source.name, source] as const))("%s", async (_, source) => {
    const { leads, preset } = await read(source)
    expect(preset).toBe(source.preset)
    const others = leads.filter((one) => !("lead" in one))
    const isOld = source.name === "Salesforce leads"
    expect(others).toMatchObject(
      isOld ? [{ footnote: { message: expect.stringContaining("windows-1252") } }] : [],
    )
    expect(leads.length - others.length).toBe(ROWS)
    expect(compare(leads, source.want).wrong).toEqual([])
    const attributes = leads.flatMap((one) => ("lead" in one ? (one.lead.attributes ?? []) : []))
    for (const [name, value] of Object.entries(source.attributes ?? {}))
      expect(attributes).toContainEqual(expect.objectContaining({ name, value }))
  })
})

test("the place in the address text of scraper files is that of their own columns", async () => {
  let compared = 0
  for (const source of sources)
    for (const one of (await read(source)).leads) {
      if (!("lead" in one) || !one.lead.city || !one.lead.address?.includes(one.lead.city)) continue
      const { city, postal_code } = readPostalAddress(one.lead.address) ?? {}
      expect([city, postal_code]).toEqual([one.lead.city, one.lead.postal_code ?? postal_code])
      compared++
    }
  expect(compared).toBeGreaterThan(ROWS * 4)
})

test("several emails and phones of a cell are all kept", async () => {
  const listed = async (name: string, list: "emails" | "phones") =>
    (await read(sources.find((source) => source.name === name)!)).leads.flatMap((one) =>
      "lead" in one && one.lead[list] ? [one.lead[list].map(({ value }) => value)] : [],
    )
  expect(await listed("gosom CSV", "emails")).toHaveLength(ROWS / 3)
  expect((await listed("plain, German", "emails"))[0]).toEqual([
    ...["lead0@firm-0.example.com", "second@firm-0.example.com"],
  ])
  expect(await listed("plain, German", "phones")).toContainEqual(["+49 30 1002740", "+49 171 2006220"])
})

test("a bad value is told of with its row, its column and what it was", async () => {
  const { leads } = await read(sources.find(({ name }) => name === "HubSpot contacts")!)
  const warnings = leads.flatMap((one) => ("warnings" in one ? one.warnings : []))
  expect(warnings).toContainEqual(
    expect.objectContaining({ line: 2, column: "Email", value: "not an email", kind: "left_out" }),
  )
  expect(warnings).toContainEqual(
    expect.objectContaining({ line: 9, column: "Lead Status", value: "Bad timing", kind: "status_kept" }),
  )
})

test("a file means the same in gzip, and under a name that says nothing", async () => {
  const source = sources[0]!
  const zipped = await read({ content: gzipSync(source.content), file: "results.csv.gz" })
  expect(compare(zipped.leads, source.want).wrong).toEqual([])
  const nameless = await read({ content: source.content, file: "results" })
  expect(compare(nameless.leads, source.want).wrong).toEqual([])
})
