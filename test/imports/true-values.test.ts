// What a column is taken for, and what its values become: nothing that is not said.
import { describe, expect, test } from "bun:test"
import { readFile } from "./reading.ts"

async function read(content: string) {
  const { rows, columns } = await readFile(content, "file.csv")
  return {
    leads: rows.flatMap((one) => ("lead" in one ? [one.lead] : [])),
    warnings: rows.flatMap((one) => ("lead" in one ? one.warnings.map(({ message }) => message) : [])),
    targets: Object.fromEntries(columns.reports().map(({ column, target }) => [column, target])),
  }
}

const column = (name: string, values: readonly string[]) =>
  `Company;${name}\n${values.map((value, i) => `Firm ${"ABCDEFGH"[i]};${value}\n`).join("")}`

describe("a phone is recognised by its contents alone", () => {
  for (const [name, values, isPhone] of [
    ["Contract start", ["01/01/2026", "01/01/2026", "01/04/2026"], false],
    ["Vertragsbeginn", ["01-01-2026", "02-01-2026", "03-04-2026"], false],
    ["Début", ["01/01/26", "02/01/26", "03/04/26"], false],
    ["Seit", ["01/2017", "02/2018", "12/2019"], false],
    ["Scadenza", ["01 01 2026", "02 01 2026", "03 04 2026"], false],
    ["Start", ["01/13/2026", "02/28/2026", "03/31/2026"], false],
    ["Phone", ["01/01/2026", "01/02/2026", "01/04/2026"], false],
    ["Kundennummer", ["01511234", "01511235", "01511236"], false],
    ["Artikelcode", ["00012345", "00012346", "00012347"], false],
    ["Erreichbar", ["+49 30 1234567", "030 7654321", "(030) 555 666"], true],
    ["Joignable", ["01 42 68 53 00", "01 42 68 53 01", "04 91 13 89 00"], true],
    ["Büro", ["0431/1234567", "0431/1234568", "040/7654321"], true],
    ["Direkt", ["01511234567", "01511234568", "01701234567"], true],
    ["Phone", ["01 42 68 53 00", "call us", "04 91 13 89 00"], true],
  ] as const)
    test(`${name}: ${values[0]}`, async () => {
      const { targets } = await read(column(name, values))
      expect(targets[name] === "phone").toBe(isPhone)
    })
})

describe("a name is no date, number or address", () => {
  for (const name of ["Last", "Contact", "Name", "First", "Nombre"])
    for (const values of [
      ["2024-04-03", "2024-04-05", "2023-01-01"],
      ["03.04.2024", "05.04.2024", "17.01.2023"],
      ["Hauptstraße 5, 10115 Berlin", "Ringweg 7", "Am Platz 3"],
      ["12", "13", "14"],
    ])
      test(`${name}: ${values[0]}`, async () => {
        const { leads } = await read(column(name, values))
        expect(leads.map((lead) => lead.name)).toEqual(["Firm A", "Firm B", "Firm C"])
      })
  test("Contact: Jane Doe", async () => {
    const { leads } = await read(column("Contact", ["Jane Doe", "John Roe", "Li Wei"]))
    expect(leads[0]).toMatchObject({ name: "Jane Doe", company: "Firm A" })
  })
})

describe("words for no value", () => {
  test("psql's \\N is none", async () => {
    const { leads } = await read("Name,Phone,Plan\nA,\\N,\\N\nB,\\N,x\n")
    expect(leads).toEqual([
      { name: "A", source: "import" },
      { name: "B", source: "import", attributes: [{ name: "Plan", type: "text", value: "x" }] },
    ])
  })
  test("NA is a country and a region", async () => {
    const { leads } = await read("Name,Country,Area\nA,NA,NA\nB,DE,EMEA\nC,US,APAC\n")
    expect(leads[0]).toMatchObject({
      country: "NA",
      attributes: [{ name: "Area", type: "text", value: "NA" }],
    })
  })
  test("NA is none where R wrote the file", async () => {
    const { leads } = await read('"Name","Country","Size"\n"A",NA,12\n"B","DE",NA\n')
    expect(leads[0]).not.toHaveProperty("country")
    expect(leads[1]).not.toHaveProperty("attributes")
  })
  test("a formula's error is none, and told", async () => {
    const { leads, warnings } = await read("Name,City,Tags,Plan\nA,#REF!,#NAME?,#N/A\nB,Kiel,x,gold\n")
    expect(leads[0]).toEqual({ name: "A", source: "import" })
    expect(warnings).toHaveLength(3)
  })
})

describe("texts that other programs dress", () => {
  test('="0151123" is its text', async () => {
    const { leads } = await read(
      'Name,Phone,Code\nA,"=""0151123456""","=""00123"""\nB,="0151123457",="00124"\n',
    )
    expect(leads[0]).toMatchObject({ phone: "0151123456", attributes: [{ name: "Code", value: "00123" }] })
    expect(leads[1]).toMatchObject({ phone: "0151123457", attributes: [{ name: "Code", value: "00124" }] })
  })
  test("pandas' fraction is none of a phone, a postal code and an id", async () => {
    const { leads } = await read(
      "Full name;phone;zip;Kundennr;Ticket number;Score\nA;4930901820.0;2134.0;17.0;5.0;2.0\nB;;;;;\n",
    )
    expect(leads[0]).toMatchObject({
      phone: "4930901820",
      postal_code: "2134",
      source_id: "17",
      attributes: [
        { name: "Ticket number", value: "5" },
        { name: "Score", type: "number", value: 2 },
      ],
    })
  })
})

const attributesOf = async (text: string) => {
  const { leads } = await read(text)
  return leads.map(({ attributes = [] }) => (attributes ?? []).map((one) => "value" in one && one.value))
}

describe("one reading for a file", () => {
  for (const [what, text, values] of [
    ["850 beside 1.200", "Firma,Mitarbeiter\nA,850\nB,1.200\nC,12.000\n", [[850], [1200], [12_000]]],
    ["fractions of three digits", "Name,Weight\nA,1.250\nB,2.375\n", [[1.25], [2.375]]],
    ["a month first elsewhere", "Name,Start,End\nA,03/04/2024,12/31/2024\n", [["2024-03-04", "2024-12-31"]]],
    ["a day first elsewhere", "Name,Start,End\nA,03/04/2024,31/12/2024\n", [["2024-04-03", "2024-12-31"]]],
    ["rows of the USA", "Name,Country,Start\nA,USA,03/04/2024\n", [["2024-03-04"]]],
    ["a contradiction", "Name,Start\nA,13/04/2024\nB,04/13/2024\n", [["13/04/2024"], ["04/13/2024"]]],
  ] as const)
    test(what, async () => expect(await attributesOf(text)).toEqual(values as never))
  test("moments read the dates that attributes read", async () => {
    const { leads } = await read("Name;next_step_at;Start\nA;24.12.2024;1.2.2024\n")
    expect(leads[0]).toMatchObject({ next_step_at: Date.UTC(2024, 11, 24) / 1000 })
  })
})

/** What becomes of the first row: its fields, and its attributes by name. */
async function firstOf(text: string) {
  const { leads } = await read(text)
  const { attributes, source: _, ...lead } = leads[0]!
  return { ...lead, ...Object.fromEntries((attributes ?? []).map(({ name, value }) => [name, value])) }
}

describe("files in other languages, and as other programs write them", () => {
  for (const [what, text, lead] of [
    [
      "Turkish",
      "Ad;Soyad;Şirket;E-posta;Telefon Numarası\nAyşe;Yılmaz;Acme A.Ş.;a@x.example;0212 555 12 34\n",
      { name: "Ayşe Yılmaz", company: "Acme A.Ş.", email: "a@x.example", phone: "0212 555 12 34" },
    ],
    [
      "Polish",
      "Nazwa firmy;E-mail;Telefon;Telefon komórkowy;Start\nA;a@x.example;22 1234567;601 234 567;3 kwietnia 2024\n",
      {
        ...{ name: "A", email: "a@x.example", phone: "22 1234567", Start: "2024-04-03" },
        phones: [
          { value: "22 1234567", label: null },
          { value: "601 234 567", label: "mobile" },
        ],
      },
    ],
    [
      "Hungarian",
      "Név;Cég;Kezdés;Másodlagos e-mail;E-mail\nKis Pál;Acme Kft.;2024. 04. 03.;b@x.example;a@x.example\n",
      {
        ...{ name: "Kis Pál", company: "Acme Kft.", Kezdés: "2024-04-03", email: "a@x.example" },
        emails: [
          { value: "a@x.example", label: null },
          { value: "b@x.example", label: null },
        ],
      },
    ],
    [
      "Japanese",
      "氏名,会社名,メール,契約日\n山田 太郎,アクメ,t@x.example,2024年4月3日\n",
      { name: "山田 太郎", company: "アクメ", email: "t@x.example", 契約日: "2024-04-03" },
    ],
    [
      "Korean",
      "이름,회사명,전화번호\n김민수,아크메,02-123-4567\n",
      { name: "김민수", company: "아크메", phone: "02-123-4567" },
    ],
    [
      "Arabic",
      "الاسم,الشركة,الهاتف\nمحمد علي,أكمي,+966501234567\n",
      { name: "محمد علي", company: "أكمي", phone: "+966501234567" },
    ],
    [
      "Google's values in one cell",
      "Name,Organization 1 - Name,Website 1 - Value,Plan\nA,Acme ::: Beta,https://a.example ::: https://b.example,x ::: y\n",
      {
        ...{ name: "A", company: "Acme", other_company: ["Beta"] },
        ...{ website: "https://a.example", other_websites: ["https://b.example"], Plan: ["x", "y"] },
      },
    ],
    [
      "links of a spreadsheet in CSV",
      'Name,Website,Email,Plan\n"=HYPERLINK(""https://crm.example/1"",""A"")","=HYPERLINK(""https://a.example"";""Site"")","=HYPERLINK(""mailto:a@x.example"",""write"")","=HYPERLINK(""https://p.example"",""Gold"")"\n',
      { name: "A", website: "https://a.example", email: "a@x.example", Plan: "Gold" },
    ],
    [
      "numbers that are identifiers",
      "Société;SIREN;Version;Order no\nA;732 829 320;1.10;1.23457E+12\n",
      { name: "A", SIREN: "732 829 320", Version: "1.10", "Order no": "1.23457E+12" },
    ],
    ["MySQL's nulls under our own names", "name,phone,email,city\nA,\\N,NULL,null\n", { name: "A" }],
    [
      "pandas' fractions under our own names",
      "name,phone,postal_code,source_id\nA,4930901820.0,2134.0,17.0\n",
      { name: "A", phone: "4930901820", postal_code: "2134", source_id: "17" },
    ],
    ["lost digits under our own names", "name,phone\nA,4.93012E+11\nB,4.93012E+11\n", { name: "A" }],
    [
      "Pipedrive in German",
      "Person - ID,Person - Name,Person - E-Mail - Büro,Person - Telefon - Büro\n1,Jan Beck,a@x.example,030 1111111\n",
      { name: "Jan Beck", source_id: "1", email: "a@x.example", phone: "030 1111111" },
    ],
    [
      "Zoho in Spanish",
      "Id. de registro,Nombre,Apellidos,Estado de Posible cliente\nz1,José,García,Contactado\n",
      { name: "José García", source_id: "z1", status: "contacted" },
    ],
    ["<NA> of pandas", "Name,Plan,City\nA,<NA>,<NA>\n", { name: "A" }],
    [
      "a mailto with a subject",
      "Name,Email\nA,mailto:a@x.example?subject=x\n",
      { name: "A", email: "a@x.example" },
    ],
    [
      "an email with a space of no width",
      "Name,Email\nA,\u200ba@x.example\n",
      { name: "A", email: "a@x.example" },
    ],
    [
      "one end of a number",
      "Name,Phone\nA,030 8073069 - 11 und -12\n",
      { name: "A", phone: "030 8073069 - 11 und -12" },
    ],
  ] as const)
    test(what, async () => expect(await firstOf(text)).toEqual(lead as never))

  test("an id that has lost digits is none", async () => {
    const { leads, warnings } = await read("Name,Record ID\nA,1.23457E+12\nB,1.23457E+12\n")
    expect(leads.map(({ source_id }) => source_id)).toEqual([undefined, undefined])
    expect(warnings[0]).toContain("has lost digits")
  })

  test("sums and notes of a narrow table are no leads", async () => {
    const sums = ["Total", "Razem", "Toplam", "合計"].map((sum) => `${sum},,30`)
    for (const note of [...sums, "Exporté le 03/04/2024,,", "Generado por Acme,,"]) {
      const { leads } = await read(`Firma,City,Amount\nA,Lyon,10\nB,Paris,20\n${note}\n`)
      expect(leads.map(({ name }) => name)).toEqual(["A", "B"])
    }
  })
})

describe("several phones in a cell", () => {
  for (const [text, ...all] of [
    ["22 123 45 67 lub 601 234 567", "22 123 45 67", "601 234 567"],
    ["tel. 22 123 45 67, kom. 601 234 567", "22 123 45 67", "601 234 567"],
    ["06 1 234 5678 és 06 20 123 4567", "06 1 234 5678", "06 20 123 4567"],
    ["03-1234-5678、090-1234-5678", "03-1234-5678", "090-1234-5678"],
    ["0212 555 12 34 veya 0532 555 12 34", "0212 555 12 34", "0532 555 12 34"],
    ["+966 50 123 4567 أو +966 50 123 4568", "+966 50 123 4567", "+966 50 123 4568"],
  ] as const)
    test(text, async () => {
      const { leads } = await read(`Name;Phone\nA;"${text}"\n`)
      expect(leads[0]!.phones?.map(({ value }) => value)).toEqual([...all])
    })
})

describe("a person beside a firm", () => {
  for (const [what, row, lead] of [
    [
      "the company has a column",
      "Acme GmbH;Jane;Doe;Acme",
      { name: "Jane Doe", company: "Acme", Name: "Acme GmbH" },
    ],
    ["a firm of that name", "Jane Doe GmbH;Jane;Doe;", { name: "Jane Doe", company: "Jane Doe GmbH" }],
    ["another name of the person", "Liz Doe;Elizabeth;Doe;", { name: "Elizabeth Doe", Name: "Liz Doe" }],
    ["a title", "Dr. Jane Doe;Jane;Doe;Acme", { name: "Dr. Jane Doe", company: "Acme" }],
  ] as const)
    test(`of which ${what}`, async () =>
      expect(await firstOf(`Name;First name;Last name;Company\n${row}\n`)).toEqual(lead as never))
  test("whose names are in another language than the firm's", async () =>
    expect(await firstOf("Name;Nombre;Apellidos\nAcme S.L.;José;de la Cruz\n")).toEqual({
      name: "José de la Cruz",
      company: "Acme S.L.",
    }))
  test("the firm is the company", async () => {
    const { leads } = await read("Name;Vorname;Nachname\nAcme GmbH;Jane;Doe\nJohn Roe;John;Roe\n")
    expect(leads[0]).toMatchObject({ name: "Jane Doe", company: "Acme GmbH" })
    expect(leads[1]).not.toHaveProperty("company")
  })
  test("the family name is first where it is written so", async () => {
    const { leads } = await read("First name;Last name\n太郎;山田\n")
    expect(leads[0]).toMatchObject({ name: "山田 太郎" })
  })
})

test("amounts with a decimal comma are no coordinates, and days to call again are when the next step is due", async () => {
  const { targets } = await read(column("Umsatz (€)", ["1.234,50", "12.000,00", "9.870,00"]))
  expect(targets["Umsatz (€)"]).toStartWith("attr:")
  const places = await read(column("Punkt", ["48.1374,11.5755", "52.52,13.405", "50.9413,6.9583"]))
  expect(places.targets.Punkt).toBe("latitude,longitude")
  for (const name of ["Fällig am", "Wiedervorlage", "Follow-up date"]) {
    const { targets, leads } = await read(column(name, ["24.12.2026", "3.1.2027", "13.02.2027 14:30"]))
    expect(targets[name]).toBe("next_step_at")
    expect(leads.map(({ next_step_at }) => next_step_at !== undefined)).toEqual([true, true, true])
  }
})
