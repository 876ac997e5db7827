// What an import guesses, and what it leaves out: told, and never a reason to merge.
import { describe, expect, test } from "bun:test"
import { openTestAccount } from "../support/app.ts"

const CSV = { "Content-Type": "text/csv" }

async function imported(text: string, query = "", type = "text/csv") {
  const { call } = await openTestAccount()
  const answer = await call("POST", `/leads/import${query}`, text, { "Content-Type": type })
  expect(answer.status).toBe(200)
  const leads = (await call("GET", "/leads?sort_by=created_at&sort_order=asc")).body.leads
  return { report: answer.body, leads, call }
}

const ndjson = (rows: object[]) => rows.map((row) => JSON.stringify(row)).join("\n")

describe("a column that its contents alone tell", () => {
  for (const [about, text, what, type] of [
    ["phones", "Company,Erreichbar\nA Kiel,030 1234567\nA Kieln,030 1234567\nB,040 7654321\n", "phone"],
    ["emails", "Firma;Mitarbeiter\nA;eva@firm.example\nB;eva@firm.example\nC;bob@firm.example\n", "email"],
    [
      "emails of NDJSON",
      ndjson(["A", "B", "C"].map((company) => ({ company, ansprech: "eva@firm.example" }))),
      "email",
      "application/x-ndjson",
    ],
  ] as const)
    test(`merges no lead: ${about}`, async () => {
      const { report, leads } = await imported(text, "", type)
      expect([report.created, report.merged, leads.length]).toEqual([3, 0, 3])
      expect(report.guesses).toEqual([
        expect.objectContaining({ what, reason: expect.stringContaining("no lead is merged by it") }),
      ])
    })

  test("merges where the mapping says what it is", async () => {
    const text = "Company,Erreichbar\nA Kiel,030 1234567\nA Kieln,030 1234567\nB,040 7654321\n"
    const { report } = await imported(text, "?map=Erreichbar:phone")
    expect([report.created, report.merged, report.guesses]).toEqual([2, 1, []])
  })
})

const started = (values: readonly string[]) =>
  `Company,Start\n${values.map((value, i) => `Firm ${"ABC"[i]},${value}\n`).join("")}`

describe("the order of a date", () => {
  for (const [about, text, query, value, guess] of [
    ["is a guess", started(["01/04/2026", "02/04/2026"]), "", "2026-04-01", "nothing in the file decides"],
    ["is said", started(["01/04/2026", "02/04/2026"]), "?date_order=mdy", "2026-01-04", undefined],
    [
      "is said, the year first",
      started(["26/01/04", "26/02/04"]),
      "?date_order=ymd",
      "2026-01-04",
      undefined,
    ],
    ["is shown by its column", started(["01/04/2026", "01/13/2026"]), "", "2026-01-04", undefined],
    [
      "is shown by another column",
      "Company,Start,End\nA,01/04/2026,01/13/2027\nB,02/04/2026,02/28/2027\n",
      "",
      "2026-01-04",
      'the dates of "End" show it',
    ],
    [
      "is shown by the country",
      "Company,Country,Start\nA,USA,01/04/2026\nB,US,02/04/2026\n",
      "",
      "2026-01-04",
      "most rows are in the United States",
    ],
  ] as const)
    test(about, async () => {
      const { report, leads } = await imported(text, query)
      const start = leads[0].attributes.find(({ name }: { name: string }) => name === "Start")
      expect(start).toMatchObject({ type: "date", value })
      const reasons = report.guesses.map(({ reason }: { reason: string }) => reason)
      expect(reasons).toEqual(guess === undefined ? [] : [expect.stringContaining(guess)])
    })

  test("that contradicts itself is left as text, with a warning", async () => {
    const { report, leads } = await imported(started(["13/04/2024", "04/13/2024", "01/02/2024"]))
    expect(leads.map(({ attributes }: { attributes: { value: string }[] }) => attributes[0]!.value)).toEqual([
      "13/04/2024",
      "04/13/2024",
      "01/02/2024",
    ])
    expect(report.warnings).toEqual([
      expect.objectContaining({ line: 2, column: "Start", kind: "kept_as_text" }),
    ])
  })

  test("is refused where it is none", async () => {
    const { call } = await openTestAccount()
    const { status, body } = await call("POST", "/leads/import?date_order=us", "name\nA\n", CSV)
    expect([status, body.message]).toEqual([400, "date_order must be one of dmy, mdy, ymd"])
  })

  test("holds for fields with a time", async () => {
    const text = "Company,Next step at\nA,04/05/2027\nB,04/06/2027\n"
    const { leads } = await imported(text, "?date_order=mdy")
    expect(leads[0].next_step_at).toBe(Date.UTC(2027, 3, 5) / 1000)
  })
})

describe("a dot before three digits", () => {
  for (const [about, rows, query, value, isGuess] of [
    ["groups thousands, as a guess", ["1.200", "12.000"], "", 1200, true],
    ["groups thousands beside smaller numbers", ["1.200", "850"], "", 1200, false],
    ["is what is said", ["1.200", "12.000"], "?decimal=point", 1.2, false],
    ["is what other numbers show", ["1.200", "12.5"], "", 1.2, false],
  ] as const)
    test(about, async () => {
      const text = `Firma;Mitarbeiter\n${rows.map((row, i) => `Firm ${"AB"[i]};${row}\n`).join("")}`
      const { report, leads } = await imported(text, query)
      expect(leads[0].attributes).toMatchObject([{ name: "Mitarbeiter", type: "number", value }])
      expect(report.guesses.length).toBe(isGuess ? 1 : 0)
    })
})

test("words for no value are counted, and nothing else is told of a plain file", async () => {
  const { report } = await imported("Company,Size,Phone\nA,5,\\N\nB,NULL,\\N\nC,n/a,030 1234567\n")
  expect(report.dropped).toEqual([
    { column: "Phone", count: 2, example: "\\N" },
    { column: "Size", count: 2, example: "NULL" },
  ])
  const plain = (await imported("Company,Phone\nA,030 1234567\n")).report
  expect([plain.guesses, plain.dropped, plain.warnings]).toEqual([[], [], []])
})

test("texts of JSON are of the type that CSV would give them", async () => {
  const rows = [{ company: "A", seats: "40", since: "2024-03-31", code: "007", open: "yes" }]
  const { leads } = await imported(ndjson(rows), "", "application/x-ndjson")
  expect(leads[0].attributes).toMatchObject([
    { name: "seats", type: "number", value: 40 },
    { name: "since", type: "date", value: "2024-03-31" },
    { name: "code", type: "text", value: "007" },
    { name: "open", type: "bool", value: true },
  ])
})

describe("a person's name", () => {
  for (const [text, name, company] of [
    ["Name;Vorname;Nachname\nAcme GmbH;Jane;Doe\n", "Jane Doe", "Acme GmbH"],
    ["Vezetéknév;Keresztnév\nKovács;Anna\n", "Kovács Anna", null],
    ["姓,名,会社名\n山田,太郎,東京商事\n", "山田 太郎", null],
    ["First name,Last name\nJane,Doe\n", "Jane Doe", null],
  ] as const)
    test(name, async () => {
      const { leads } = await imported(text)
      expect(leads[0].name).toBe(name)
      if (company) expect(leads[0].company).toBe(company)
    })
})

test("German dates become the first second of their day in the account's zone; others are told", async () => {
  const { call } = await openTestAccount()
  await call("PATCH", "/account", { time_zone: "America/New_York" })
  const dates = ["31.12.2026", "31.12.26", "31.12.2026 09:30", "1798070400", "20261231", "bald"]
  const rows = dates.map((date, i) => `N${i},n${i}@a.example,${date}`)
  const csv = `Name,Email,Frist\n${rows.join("\n")}\n`
  const { body } = await call("POST", "/leads/import?map=Frist:next_step_at", csv, {
    "Content-Type": "text/csv",
  })
  expect(body.created).toBe(6)
  const { leads } = (await call("GET", "/leads?sort_by=name")).body
  const due = leads.map(({ next_step_at }: { next_step_at: number | null }) => next_step_at)
  const day = Date.UTC(2026, 11, 31, 5) / 1000
  expect(due).toEqual([day, day, day + 9.5 * 3600, 1_798_070_400, null, null])
  expect(body.warnings.map(({ message }: { message: string }) => message).join()).toMatch(
    /20261231.*is a date without hyphens: write 2026-12-31.*bald.*is no date/s,
  )
})
