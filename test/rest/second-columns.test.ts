// Every column with emails or phones counts, and every one of several in a cell.
import { describe, expect, test } from "bun:test"
import { openTestAccount } from "../support/app.ts"

const CSV = { "Content-Type": "text/csv" }
const [A, B, C] = ["anna@first.example", "anna@second.example", "anna@third.example"]
const [P, Q, R] = ["+49 30 80730693", "+49 171 2000000", "+49 40 5550100"]

interface Found {
  emails?: string[]
  phones?: string[]
  labels?: (string | null)[]
}

async function imported(csv: string, query = "") {
  const { call } = await openTestAccount()
  const { body } = await call("POST", `/leads/import?source=test${query}`, csv, CSV)
  const { leads } = (await call("GET", "/leads")).body
  return { call, body, lead: leads[0] }
}

const valuesOf = (list: { value: string }[] | undefined, one: string | null) =>
  list?.map(({ value }) => value) ?? (one === null ? [] : [one])

/** Headers of two emails, a phone and a mobile one, by their language. */
const LANGUAGES = {
  German: "Firma,E-Mail,E-Mail 2,Telefon,Mobil",
  French: "Entreprise,Email,Autre email,Téléphone,Portable",
  Italian: "Azienda,Email,Email secondaria,Telefono,Cellulare",
  "French, secondary": "Société,E-mail,E-mail secondaire,Tél.,Tél. portable",
  Spanish: "Empresa,Correo,Correo 2,Teléfono,Móvil",
}

type Columns = [program: string, header: string, row: string, found: Found]
const COLUMNS: Columns[] = [
  ["plain", "Company,Email,Email 2", `Acme,${A},${B}`, { emails: [A, B] }],
  [
    "plain phones",
    "Company,Phone,Mobile Phone,Fax",
    `Acme,${P},${Q},${R}`,
    { phones: [P, Q], labels: [null, "mobile"] },
  ],
  ...Object.entries(LANGUAGES).map(
    ([language, header]): Columns => [
      ...([language, header, `Acme,${A},${B},${P},${Q}`] as const),
      { emails: [A, B], phones: [P, Q], labels: [null, "mobile"] },
    ],
  ),
  ["one name twice", "Company,Email,Email", `Acme,${A},${B}`, { emails: [A, B] }],
  ["pandas", "Company,Email,Email.1", `Acme,${A},${B}`, { emails: [A, B] }],
  [
    "German private",
    "Firma,E-Mail,E-Mail privat,Telefon,Telefon privat",
    `Acme,${A},${B},${P},${Q}`,
    { emails: [A, B], phones: [P, Q], labels: [null, "home"] },
  ],
  [
    "Outlook",
    "First Name,Last Name,E-mail Address,E-mail 2 Address,E-mail 3 Address,Business Phone,Home Phone,Mobile Phone",
    `Anna,Adler,${A},${B},${C},${P},${Q},${R}`,
    { emails: [A, B, C], phones: [P, R, Q], labels: ["work", "mobile", "home"] },
  ],
  [
    "Google",
    "Name,E-mail 1 - Value,E-mail 2 - Value,Phone 1 - Value,Phone 2 - Value",
    `Anna,${A},${B},${P},${Q}`,
    { emails: [A, B], phones: [P, Q] },
  ],
  [
    "Google with labels",
    "Name,E-mail 1 - Label,E-mail 1 - Value,E-mail 2 - Label,E-mail 2 - Value,Phone 1 - Type,Phone 1 - Value,Phone 2 - Type,Phone 2 - Value",
    `Anna,* Work,${A},Home,${B},Mobile,${P},Ferienhaus,${Q}`,
    { emails: [A, B], phones: [P, Q], labels: ["mobile", "ferienhaus"] },
  ],
  [
    "Google in one",
    "Name,E-mail 1 - Value,Phone 1 - Value",
    `Anna,${A} ::: ${B},${P} ::: ${Q}`,
    { emails: [A, B], phones: [P, Q] },
  ],
  [
    "HubSpot",
    "Record ID,First Name,Last Name,Email,Additional email addresses,Phone Number,Mobile Phone Number,Contact owner",
    `1,Anna,Adler,${A},${B};${C},${P},${Q},Bob`,
    { emails: [A, B, C], phones: [P, Q], labels: [null, "mobile"] },
  ],
  [
    "Pipedrive",
    "Person - Name,Person - Email - Work,Person - Email - Home,Person - Phone - Work,Person - Phone - Mobile",
    `Anna,${A},${B},${P},${Q}`,
    { emails: [A, B], phones: [P, Q], labels: ["work", "mobile"] },
  ],
  [
    "Zoho",
    "Record Id,Lead Owner,First Name,Last Name,Email,Secondary Email,Phone,Mobile,Other Phone",
    `1,Bob,Anna,Adler,${A},${B},${P},${Q},${R}`,
    { emails: [A, B], phones: [P, Q, R], labels: [null, "mobile", "other"] },
  ],
  [
    "Outscraper",
    "name,place_id,phone,email_1,email_2,email_3,phone_1,phone_2",
    `Acme,x1,${P},${A},${B},${C},${P},${Q}`,
    { emails: [A, B, C], phones: [P, Q] },
  ],
  [
    "Apify",
    "title,placeId,phone,emails/0,emails/1,phones/0,phones/1",
    `Acme,x1,${P},${A},${B},${P},${Q}`,
    { emails: [A, B], phones: [P, Q] },
  ],
  ["mapped", "Company,Work,Two", `Acme,${A},${B}`, { emails: [A, B] }],
  [
    "both writings of one number",
    "Company,Phone,International Phone",
    `Acme,030 80730693,${P}`,
    { phones: [P] },
  ],
]

describe("second columns", () => {
  test.each(COLUMNS)("of %s go into the lists", async (program, header, row, found) => {
    const { call, lead } = await imported(
      `${header}\n${row}\n`,
      program === "mapped" ? "&map=Work:email&map=Two:email" : "",
    )
    expect(valuesOf(lead.emails, lead.email)).toEqual(found.emails ?? [])
    expect(valuesOf(lead.phones, lead.phone)).toEqual(found.phones ?? [])
    if (found.labels)
      expect(lead.phones.map(({ label }: { label: string | null }) => label)).toEqual(found.labels)
    for (const value of [...(found.emails ?? []), ...(found.phones ?? [])]) {
      const kind = value.includes("@") ? "email" : "phone"
      const again = await call("POST", "/leads", { name: lead.name, source: "test", [kind]: value })
      expect([value, again.body.id]).toEqual([value, lead.id])
      await call("POST", "/suppressions", { kind, value })
      expect([value, (await call("GET", "/leads?contactable=true")).body.count]).toEqual([value, 0])
      expect(
        (await call("POST", "/leads/import?source=again&on_suppressed=skip", `${header}\n${row}\n`, CSV)).body
          .created ?? 0,
      ).toBe(0)
      const [entry] = (await call("GET", "/suppressions")).body.suppressions
      await call("DELETE", `/suppressions/${entry.id}`)
    }
  })
})

const LISTS: [name: string, header: string, cell: string, found: Found][] = [
  ["commas", "name,emails", `${A}, ${B}`, { emails: [A, B] }],
  ["labels", "name,emails", `work: ${A}; home: ${B}`, { emails: [A, B], labels: ["work", "home"] }],
  [
    "JSON",
    "name,phones",
    `[{"number":"${P}","type":"mobile"},"${Q}"]`,
    { phones: [P, Q], labels: ["mobile", null] },
  ],
  ["phones", "name,phones", `${P} od. ${Q}`, { phones: [P, Q] }],
  ["beside the first", "name,phone,phones", `${P},${Q}; ${P}`, { phones: [P, Q] }],
]

describe("columns of lists", () => {
  test.each(LISTS)("with %s are read whole", async (_, header, cell, found) => {
    const cells = header.split(",").length > 2 ? cell : `"${cell.replaceAll('"', '""')}"`
    const { lead } = await imported(`${header}\nAcme,${cells}\n`)
    const list = found.emails ? lead.emails : lead.phones
    expect(valuesOf(list, null)).toEqual(found.emails ?? found.phones ?? [])
    if (found.labels) expect(list.map(({ label }: { label: string | null }) => label)).toEqual(found.labels)
  })
})

const CELLS: [cell: string, phones: string[]][] = [
  [`${P}; ${Q}`, [P, Q]],
  [`${P}, ${Q}`, [P, Q]],
  [`"${P}\n${Q}"`, [P, Q]],
  [`${P} / ${Q}`, [P, Q]],
  ["030 80730693/0171 2000000", ["030 80730693", "0171 2000000"]],
  ["030/80730693", ["030/80730693"]],
  ["030 / 80730693", ["030 / 80730693"]],
  ["0049 30 1 od. 0171-2", ["0049 30 1", "0171-2"]],
  ["0049 30 80730693 od. 0171-2000000", ["0049 30 80730693", "0171-2000000"]],
  [`${P} u. ${Q}`, [P, Q]],
  [`${P} & ${Q}`, [P, Q]],
  [`${P} y ${Q}`, [P, Q]],
  [`${P} et ${Q}`, [P, Q]],
  [`Tel: ${P} (Zentrale)`, [P]],
  [`Tel: ${P} Mobil: ${Q}`, [P, Q]],
  [`${P} ::: ${Q}`, [P, Q]],
]

describe("several in a cell", () => {
  test.each(CELLS)("%j are %j, whatever the header", async (cell, phones) => {
    const quoted = cell.startsWith('"') ? cell : `"${cell}"`
    for (const header of ["Firma,Telefon", "name,phone"]) {
      const { lead } = await imported(`${header}\nAcme,${quoted}\n`)
      const found = valuesOf(lead.phones, lead.phone)
      const own = header === "name,phone" && phones.length === 1
      if (!own) expect([header, found]).toEqual([header, phones])
    }
  })

  test.each([
    `Tel. ${P}, Fax ${R}`,
    `Fax: ${R}; Tel: ${P}`,
    `${P} Telefax ${R}`,
    `T ${P} F ${R}`,
    `"${P} (Tel)\n${R} (Fax)"`,
  ])("a fax in %j is no second phone, and merges nothing", async (cell) => {
    const quoted = cell.startsWith('"') ? cell : `"${cell}"`
    const rows = `Company,Phone\nKita Am Park Nord,${quoted}\nKita Am Park Word,${quoted.replace(P, Q)}\n`
    const { call, lead } = await imported(rows)
    expect([lead.phone, lead.phones]).toEqual([
      P,
      [
        { value: P, label: null },
        { value: R, label: "fax" },
      ],
    ])
    expect((await call("GET", "/leads")).body.leads).toHaveLength(2)
    const fax = { name: "Kita Am Park Nord", source: "t", phones: [{ value: R, label: "fax" }] }
    const alone = [
      await call("POST", "/leads", fax),
      await call("POST", "/leads", { ...fax, name: `${fax.name}.` }),
    ]
    expect(alone.map(({ status }) => status)).toEqual([201, 201])
    const pushed = async (phone: string) =>
      (await call("POST", "/leads", { name: fax.name, source: "t", phone })).status
    expect([await pushed(R), await pushed(P)]).toEqual([201, 200])
  })

  test.each([`Tel./Fax ${P}`, `Tel. und Fax: ${P}`, `Tel + Fax: ${P}`])("%j is a phone", async (cell) => {
    const { lead } = await imported(`Company,Phone\nAcme,"${cell}"\n`)
    expect([lead.phone, lead.phones]).toEqual([P, [{ value: P, label: null }]])
  })

  test.each([
    `${A}; ${B}`,
    `${A}, ${B}`,
    `${A} / ${B}`,
    `${A} od. ${B}`,
    `${A} u. ${B}`,
    `${A} ::: ${B}`,
    `"Anna" <${A}>; ${B}`,
    `${A}|${B}`,
  ])("%j are two emails, whatever the header", async (cell) => {
    for (const header of ["Firma,E-Mail", "name,email"]) {
      const { lead } = await imported(`${header}\nAcme,"${cell.replaceAll('"', '""')}"\n`)
      expect([header, valuesOf(lead.emails, lead.email)]).toEqual([header, [A, B]])
    }
  })
})
