import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { MOST_WORDS } from "../../src/domain/leads/list/list.ts"
import { parseSearch } from "../../src/domain/leads/list/search-words.ts"
import { compileFilter } from "../../src/filters/conditions.ts"
import { SeenLead } from "../../src/filters/seen-lead.ts"
import type { Lead } from "../../src/lead/lead.ts"
import { openTestAccount, openTestAppForReading, type TestAccount } from "../support/app.ts"
import { create, lettersOf } from "../support/lettered.ts"
import { walk } from "../support/walk.ts"

const NOTHING_MORE = { notes: [], imports: new Set<string>(), defaultCountry: null, isSuppressed: false }

/** The leads of an answer, but for those that only have most of the words. */
const withAllWords = ({
  leads,
  warnings = [],
}: {
  leads: { id: string; source: string }[]
  warnings?: string[]
}) => (warnings.includes(MOST_WORDS) ? [] : leads)

async function search({ call }: TestAccount, q: string, more = ""): Promise<string> {
  const { status, body } = await call("GET", `/leads?limit=1000&q=${encodeURIComponent(q)}${more}`)
  if (status !== 200) throw new Error(`${q}: ${body.message}`)
  return withAllWords(body)
    .map(({ source }) => source)
    .join("")
}
const sorted = (letters: string) => [...letters].toSorted().join("")

describe("a search finds words", () => {
  const app = openTestAppForReading(async (app) => {
    const ids = await create(app, {
      A: { name: "Café Müller's Söhne", city: "São Paulo", tags: ["Espresso Bar"], phone: "+49 30 80730693" },
      B: {
        name: "Bäckerei",
        company: "Straßenbrot GmbH",
        email: "info@brot-haus.de",
        website: "https://www.brot-haus.de/kontakt",
      },
      C: { name: "東京都水道局", description: "浄水場の運営 in 2024", city: "東京" },
      D: { name: "Кофейня Ёлка", address: "Ленинский проспект 7", category: "Кафе" },
      E: { name: "مقهى القاهرة", attributes: [{ name: "speciality", type: "text", value: "Cold Brew" }] },
      F: {
        name: "Ristorante",
        phone: "(030) 80 73 06-94",
        attributes: [{ name: "menus", type: "list", value: ["Lunch table", "Dinner"] }],
      },
      G: { name: "ร้านกาแฟ", job_title: "Owner", source_id: "ChIJ-77_x" },
      H: { name: "हिन्दी पुस्तकालय" },
    })
    await app.call("POST", `/leads/${ids.H}/notes`, { content: "Called twice, wants a brochure" })
  })
  const cases: [q: string, found: string][] = [
    ["cafe", "A"],
    ["CAFÉ muller", "A"],
    ["mullers", "A"],
    ["soh", "A"],
    ["soh cafe", ""],
    ["sao paulo espresso", "A"],
    ["strassenbrot", "B"],
    ["info@brot-haus.de", "B"],
    ["brot-haus.de", "B"],
    ["https://www.brot-haus.de", "B"],
    ["haus brot", "B"],
    ['"haus brot"', ""],
    ['"brot haus"', "B"],
    ["東京", "C"],
    ["水道", "C"],
    ["局", "C"],
    ["京水", ""],
    ["東京 運営 2024", "C"],
    ["елка", "D"],
    ["кафе ленинский", "D"],
    ["القاهرة", "E"],
    ["cold brew", "E"],
    ["dinner", "F"],
    ["กาแฟ", "G"],
    ["owner", "G"],
    ["ChIJ-77_x", "G"],
    ["हिन्दी", "H"],
    ["brochure", "H"],
    ["+493080730693", "A"],
    ["030 80730693", "A"],
    ["0049 30 80730693", "A"],
    ["80730693", "A"],
    ["+49 30 80730694", "F"],
    ["03080730694", "F"],
    ["nothing like that", ""],
  ]
  test.each(cases)("%s", async (q, found) => {
    expect(await search(app(), q)).toBe(found)
  })

  test("leaves out what stands behind a minus", async () => {
    expect(sorted(await search(app(), "030 80 -muller", ""))).toBe(
      sorted(await search(app(), "030 80 -müller")),
    )
    expect(await search(app(), "cafe -espresso")).toBe("")
    expect(await search(app(), 'cafe -"bar espresso"')).toBe("A")
    expect(await search(app(), "cafe -nothing")).toBe("A")
  })

  test("forgives one typing error in words of five letters and more when nothing fits exactly", async () => {
    expect(await search(app(), "esprezzo")).toBe("")
    for (const typed of ["espreso", "espresoo", "esprseso", "xspresso", "sepresso", "expresso", "ristoranet"])
      expect([typed, await search(app(), typed)]).toEqual([typed, typed === "ristoranet" ? "F" : "A"])
    expect(await search(app(), "cafi")).toBe("")
    const { body } = await app().call("GET", "/leads?q=espreso")
    expect(body.warnings).toEqual(['no lead fits exactly: looked for "espresso" beside "espreso"'])
  })

  test("shows where the words are", async () => {
    const show = async (q: string) => {
      const { body } = await app().call("GET", `/leads?highlight=true&q=${encodeURIComponent(q)}`)
      return body.leads.map((lead: { highlight: object }) => lead.highlight)
    }
    expect(await show("söhne caf")).toEqual([
      { field: "name", snippet: "<mark>Café</mark> Müller&#x27;s <mark>Söhne</mark>" },
    ])
    expect(await show("mullers")).toEqual([
      { field: "name", snippet: "Café <mark>Müller&#x27;s</mark> Söhne" },
    ])
    expect(await show("brochure")).toEqual([
      { field: "notes", snippet: "Called twice, wants a <mark>brochure</mark>" },
    ])
    expect(await show("brew")).toEqual([{ field: "attr:speciality", snippet: "Cold <mark>Brew</mark>" }])
    expect(await show("03080730694")).toEqual([{ field: "phone", snippet: "<mark>(030) 80 73 06-94</mark>" }])
  })
})

describe("a search goes with everything else that selects", () => {
  const app = openTestAppForReading(async (app) => {
    const ids = await create(app, {
      A: { name: "Anna Weber", city: "Ulm", rating: 3, description: "Pizza, pasta and pizza again" },
      B: { name: "Pizza Napoli", city: "Ulm", rating: 1 },
      C: { name: "Bella", category: "Pizza", city: "Bonn", rating: 5 },
      D: { name: "Da Toni", city: "Bonn", rating: 4 },
      E: { name: "Sushi Bar", city: "Bonn", rating: 2 },
    })
    await app.call("POST", `/leads/${ids.D}/notes`, { content: "Wants to sell pizza" })
  })

  test("the best first: a name before a category before a description before a note", async () => {
    expect(await search(app(), "pizza")).toBe("BCAD")
    expect(await search(app(), "pizza", "&sort_by=relevance")).toBe("BCAD")
  })

  test("other sorts", async () => {
    expect(await search(app(), "pizza", "&sort_by=rating")).toBe("BADC")
    expect(await search(app(), "pizza", "&sort_by=rating&sort_order=DESC")).toBe("CDAB")
    expect(await search(app(), "pizza", "&sort_by=name")).toBe("ACDB")
  })

  test("filters and totals", async () => {
    expect(await search(app(), "pizza", "&filter=and.eq.city.bonn")).toBe("CD")
    expect(await search(app(), "pizza", "&filter=and.gt.rating.2&filter=and.neq.name.bella")).toBe("AD")
    const { body } = await app().call("GET", "/leads?q=pizza&total=true&limit=1&filter=and.gt.rating.1")
    expect([body.total, body.count, body.has_more]).toEqual([3, 1, true])
  })

  test("the leads with most of its words where none has all, which the answer says", async () => {
    const { call } = app()
    const { body } = await call(
      "GET",
      "/leads?q=pizza%20ulm%20submarine&fields=city&highlight=true&total=true",
    )
    expect(body.leads.map(({ city }: { city: string }) => city).toSorted()[1]).toBe("Bonn")
    expect(body.leads[0]).toMatchObject({ city: "Ulm", highlight: expect.anything() })
    expect(body).toMatchObject({ next_cursor: null, has_more: false, total: 0, warnings: [MOST_WORDS] })
    for (const q of ["pizza -submarine -pizza", '"pizza submarine"', "submarine"]) {
      const { body: none } = await call("GET", `/leads?q=${encodeURIComponent(q)}`)
      expect([q, none.leads, none.warnings]).toEqual([q, [], undefined])
    }
    const { body: cut } = await call("GET", "/leads?q=pizza%20submarine&limit=1")
    expect(cut).toMatchObject({ count: 1, has_more: false, warnings: [MOST_WORDS] })
  })

  test("cursors, which belong to their search", async () => {
    expect(lettersOf(await walk(app().call, "q=pizza&limit=1"))).toBe("BCAD")
    const first = await app().call("GET", "/leads?q=pizza&limit=1")
    const other = await app().call("GET", `/leads?q=pasta&limit=1&cursor=${first.body.next_cursor}`)
    expect([other.status, other.body.message]).toEqual([400, expect.stringContaining("cursor")])
  })

  test("exports and groups", async () => {
    const { body: exported } = await app().call(
      "GET",
      "/leads/export?format=json&q=pizza&filter=and.eq.city.ulm",
    )
    expect(lettersOf(exported)).toBe("BA")
    const { body } = await app().call("GET", "/leads/aggregate?group_by=city&q=pizza")
    expect(body.groups).toEqual([
      { city: "Bonn", count: 2 },
      { city: "Ulm", count: 2 },
    ])
  })

  const refusals: [query: string, message: string | RegExp][] = [
    ["q=", 'q "" has no word to look for: give at least one word or number without a minus'],
    ["q=-pizza", /no word to look for/],
    ["q=%26%20%2B", /no word to look for/],
    [`q=${"a".repeat(501)}`, "q has at most 500 characters, got 501"],
    [`q=${"a+".repeat(17)}`, "q takes at most 16 words and phrases, got 17"],
    ["q=%00a", /well-formed/],
    ["sort_by=relevance", /needs q/],
    ["highlight=true", /needs q/],
  ]
  test.each(refusals)("%s is refused", async (query, message) => {
    const { status, body } = await app().call("GET", `/leads?${query}`)
    expect(status).toBe(400)
    if (message instanceof RegExp) expect(body.message).toMatch(message)
    else expect(body.message).toBe(message)
  })

  test.each(['"', '""', "a OR b", "a AND (b", "NEAR(a b)", "name:a", "a*", "^a", "{a}", "-", "'; --"])(
    "%p is no syntax but words",
    async (q) => {
      const { status } = await app().call("GET", `/leads?q=${encodeURIComponent(`bella ${q}`)}`)
      expect(status).toBe(200)
    },
  )
})

test("a search sees what was written a moment ago, and no longer what is gone", async () => {
  const app = await openTestAccount()
  const { A: id } = await create(app, { A: { name: "Quirin" } })
  expect(await search(app, "quirin")).toBe("A")
  await app.call("PUT", `/leads/${id}`, { name: "Xaver", tags: ["vip"] })
  expect([await search(app, "quirin"), await search(app, "xaver vip")]).toEqual(["", "A"])
  const note = await app.call("POST", `/leads/${id}/notes`, { content: "zebra" })
  expect(await search(app, "zebra")).toBe("A")
  await app.call("PUT", `/notes/${note.body.id}`, { content: "giraffe" })
  expect([await search(app, "zebra"), await search(app, "giraffe")]).toEqual(["", "A"])
  await app.call("DELETE", `/notes/${note.body.id}`)
  expect(await search(app, "giraffe")).toBe("")
  await app.call("POST", `/leads/${id}/attributes`, { name: "n", type: "text", value: "okapi" })
  expect(await search(app, "okapi")).toBe("A")
  await app.call("DELETE", `/leads/${id}`)
  expect(await search(app, "xaver")).toBe("")
})

describe("a search asked of single leads", () => {
  // Short words, so that no typing error is forgiven.
  const word = fc.constantFrom(
    "cafe",
    "Café",
    "da",
    "Nino",
    "ni",
    "GmbH",
    "東京都",
    "東京",
    "7a",
    "a.b",
    "030 8073069",
  )
  const text = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(" "))
  const asked = fc.tuple(fc.constantFrom("", '"', "-"), text)
  const search = fc
    .array(asked, { minLength: 1, maxLength: 3 })
    .map((parts) =>
      parts.map(([mark, words]) => (mark === "-" ? `-${words.split(" ")[0]}` : `${mark}${words}${mark}`)),
    )
    .map((parts) => parts.join(" "))

  test("finds those that a list finds", async () => {
    const leads = fc.array(fc.record({ name: text, city: text, notes: fc.array(text, { maxLength: 2 }) }), {
      minLength: 3,
      maxLength: 5,
    })
    await fc.assert(
      fc.asyncProperty(leads, fc.array(search, { minLength: 10, maxLength: 10 }), async (given, searches) => {
        const app = await openTestAccount()
        // A lead that repeats one goes into it.
        const byId = new Map<string, { lead: Lead; notes: string[] }>()
        for (const { notes, ...fields } of given) {
          const { body } = await app.call("POST", "/leads", {
            ...fields,
            source: "s",
            phone: "+49 30 8073069",
          })
          for (const content of notes) await app.call("POST", `/leads/${body.id}/notes`, { content })
          const lead = (await app.call("GET", `/leads/${body.id}`)).body
          const older = byId.get(body.id)?.notes ?? []
          byId.set(body.id, { lead, notes: [...notes.toReversed(), ...older] })
        }
        const all = [...byId.values()]
        for (const q of searches) {
          if (!/(^| )[^- ]/.test(q)) continue
          const holds = compileFilter({ all: [parseSearch(q)], any: [] })
          const held = all.filter(({ lead: { score, ...data }, notes }) =>
            holds(new SeenLead(data, score, { ...NOTHING_MORE, activity: data, notes })),
          )
          const { body } = await app.call("GET", `/leads?sort_by=id&q=${encodeURIComponent(q)}`)
          const found = withAllWords(body).map(({ id }) => id)
          expect([q, held.map(({ lead }) => lead.id)]).toEqual([q, found])
        }
      }),
      { numRuns: 4 },
    )
  }, 120_000)
})

test("a whole word ranks before longer ones, and what the last word only begins is found as well", async () => {
  const app = await openTestAccount()
  const leads = [123, 1230, 12, 1239, 124].map((n) => ({ name: `Haus Nummer ${n}`, source: "web" }))
  await app.call("POST", "/leads/batch", { leads })
  const namesOf = async (q: string) => {
    const { body } = await app.call("GET", `/leads?sort_by=relevance&q=${encodeURIComponent(q)}`)
    return body.leads.map(({ name }: { name: string }) => name.replace("Haus Nummer ", ""))
  }
  const ranked = await namesOf("nummer 123")
  expect([ranked[0], ranked.toSorted()]).toEqual(["123", ["123", "1230", "1239"]])
  expect((await namesOf("12"))[0]).toBe("12")
})
