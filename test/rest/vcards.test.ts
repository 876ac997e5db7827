// Leads as vCards, out and in.
import { describe, expect } from "bun:test"
import { type Call, openTestAccount, test } from "../support/app.ts"
import { LEAST } from "../support/lead.ts"
import { pluck } from "../support/pluck.ts"

const VCF = { "Content-Type": "text/vcard" }
const contact = (value: string, label: string | null = null) => ({ value, label })

const importing = async (call: Call, text: string) =>
  (await call("POST", "/leads/import", text.replaceAll("\n", "\r\n"), VCF)).body
const leadsOf = async (call: Call) => (await call("GET", "/leads?sort_by=name")).body.leads

/** The lines of a file with those that continue them. */
const unfolded = (text: string) => text.replaceAll("\r\n ", "").split("\r\n")

describe("an export as vCards", () => {
  test("has all that address books know of a lead", async ({ call }) => {
    await call("POST", "/leads", {
      ...LEAST,
      name: "Ada King Lovelace",
      company: "Analytical; Engines, Ltd",
      job_title: "Owner",
      emails: [contact("ada@example.com", "work"), contact("ada@home.example", "Private list")],
      phones: [contact("+49 30 1234567"), contact("+49 171 765", "mobile")],
      address: "Hauptstraße 1",
      city: "Berlin",
      postal_code: "10115",
      country: "Germany",
      website: "https://example.com",
      description: "Line one\nline \\ two",
      tags: ["vip", "a,b"],
      latitude: 52.5,
      longitude: 13.4,
    })
    const { status, body: text, headers } = await call("GET", "/leads/export?format=vcf")
    expect(status).toBe(200)
    expect(headers.get("Content-Type")).toBe("text/vcard; charset=utf-8")
    expect(headers.get("Content-Disposition")).toMatch(/leads-\d{4}-\d\d-\d\d\.vcf/)
    const lines = unfolded(text)
    expect(lines.slice(0, 2)).toEqual(["BEGIN:VCARD", "VERSION:3.0"])
    expect(lines.slice(-2)).toEqual(["END:VCARD", ""])
    for (const line of [
      "FN:Ada King Lovelace",
      "N:Lovelace;Ada King;;;",
      "ORG:Analytical\\; Engines\\, Ltd",
      "TITLE:Owner",
      "EMAIL;TYPE=INTERNET,WORK:ada@example.com",
      "item1.EMAIL;TYPE=INTERNET:ada@home.example",
      "item1.X-ABLabel:Private list",
      "TEL;TYPE=VOICE:+49 30 1234567",
      "TEL;TYPE=VOICE,CELL:+49 171 765",
      "ADR;TYPE=WORK:;;Hauptstraße 1;Berlin;;10115;Germany",
      "URL:https://example.com",
      "NOTE:Line one\\nline \\\\ two",
      "CATEGORIES:vip,a\\,b",
      "GEO:52.5;13.4",
    ])
      expect(lines).toContain(line)
  })

  test("folds long lines at 75 bytes, never within a character", async ({ call }) => {
    const description = "Größe ".repeat(100)
    await call("POST", "/leads", { ...LEAST, description })
    const { body: text } = await call("GET", "/leads/export?format=vcf")
    for (const line of text.split("\r\n")) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
    expect(text).not.toContain("\ufffd")
    expect(unfolded(text)).toContain(`NOTE:${description.trim()}`)
  })

  test("has the leads of a filter or a segment", async ({ call }) => {
    for (const city of ["Rome", "Oslo"]) await call("POST", "/leads", { ...LEAST, name: city, city })
    const { body: segment } = await call("POST", "/segments", {
      name: "In Oslo",
      filter: ["and.eq.city.Oslo"],
    })
    for (const query of ["filter=and.eq.city.Oslo", `segment=${segment.id}`]) {
      const { body: text } = await call("GET", `/leads/export?format=vcf&${query}`)
      expect(unfolded(text).filter((line) => line.startsWith("FN:"))).toEqual(["FN:Oslo"])
    }
  })

  test("of no leads is empty, and columns are refused", async ({ call }) => {
    expect((await call("GET", "/leads/export?format=vcf")).status).toBe(200)
    expect((await call("GET", "/leads/export?format=vcf&fields=name")).status).toBe(400)
  })
})

describe("an import of vCards", () => {
  test("reads what an export wrote", async ({ call }) => {
    const lead = {
      ...{ name: "Ada Lovelace", company: "Engines; Ltd", job_title: "Owner", city: "Berlin" },
      emails: [contact("ada@example.com", "work"), contact("ada@home.example", "private")],
      phones: [contact("+49 30 1234567"), contact("+49 171 765", "mobile")],
      ...{ address: "Street 1", postal_code: "10115", country: "Germany", description: "One\ntwo, three" },
      ...{ tags: ["vip", "a,b"], latitude: 52.5, longitude: 13.4, website: "https://example.com" },
      linkedin_url: "https://www.linkedin.com/in/ada",
    }
    const { body: first } = await call("POST", "/leads", { ...LEAST, ...lead })
    const { body: text } = await call("GET", "/leads/export?format=vcf")
    await call("DELETE", `/leads/${first.id}`)
    const { body } = await call("POST", "/leads/import", text, VCF)
    expect(body).toMatchObject({ format: "vcf", created: 1, rejected: 0, warnings: [] })
    const [again] = await leadsOf(call)
    expect(again).toMatchObject(lead)
    expect(again.source_id).toBeNull()
  })

  const CARDS: [about: string, card: string, lead: object][] = [
    [
      "of version 4.0",
      `VERSION:4.0
FN:Bob Noyce
N:Noyce;Bob;;;
EMAIL;TYPE=home:bob@home.example
EMAIL;PREF=1;TYPE=work:bob@work.example
TEL;VALUE=uri;TYPE="voice,cell":tel:+1-212-555-0100
GEO:geo:40.7,-74.0
UID:urn:uuid:1`,
      {
        ...{ name: "Bob Noyce", email: "bob@work.example", source_id: "urn:uuid:1" },
        emails: [contact("bob@work.example", "work"), contact("bob@home.example", "home")],
        phones: [contact("+1-212-555-0100", "mobile")],
        ...{ latitude: 40.7, longitude: -74 },
      },
    ],
    [
      "of version 2.1 with quoted-printable texts and lines that go on",
      `VERSION:2.1
N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=BCrgen;;;
TEL;WORK;PREF:+49 30 1
TEL;CELL:+49 171 2345
NOTE;ENCODING=QUOTED-PRINTABLE:one =
two=0Athree`,
      {
        ...{ name: "Jürgen Müller", description: "one two\nthree" },
        phones: [contact("+49 30 1", "work"), contact("+49 171 2345", "mobile")],
      },
    ],
    [
      "of a phone, with groups, labels and a picture",
      `VERSION:3.0
N:Appleseed;John;;;
FN:John Appleseed
ORG:Apple Inc.;Sales
item1.EMAIL;type=INTERNET:john@example.com
item1.X-ABLabel:_$!<Other>!$_
item2.URL;type=pref:https://example.com
BDAY:1980-06-22
PHOTO;ENCODING=b;TYPE=JPEG:${"/9j/4AAQSkZJRg".repeat(5)}
 ${"AAAA".repeat(15)}
CATEGORIES:Friends,Work`,
      {
        ...{ name: "John Appleseed", company: "Apple Inc.", website: "https://example.com" },
        ...{ email: "john@example.com", emails: [contact("john@example.com", "other")] },
        tags: ["Friends", "Work"],
        attributes: [
          expect.objectContaining({ name: "birthday", type: "date", value: "1980-06-22" }),
          expect.objectContaining({ name: "department", type: "text", value: "Sales" }),
        ],
      },
    ],
    [
      "with faxes, which are called last, and a birthday without a year",
      `VERSION:3.0
FN:Ada
TEL;TYPE=WORK,FAX:+49 30 99
TEL;TYPE=FAX:+49 30 98
TEL;TYPE=WORK,VOICE:+49 30 1
BDAY:--0412`,
      {
        phone: "+49 30 1",
        phones: [contact("+49 30 1", "work"), contact("+49 30 99", "work fax"), contact("+49 30 98", "fax")],
        attributes: [expect.objectContaining({ name: "birthday", type: "text", value: "--04-12" })],
      },
    ],
    [
      "with Apple's year for none, and a fax of version 2.1",
      `VERSION:2.1
N:Lovelace;Ada
TEL;WORK;FAX:+49 30 99
BDAY;X-APPLE-OMIT-YEAR=1604:1604-04-12`,
      {
        phones: [contact("+49 30 99", "work fax")],
        attributes: [expect.objectContaining({ name: "birthday", type: "text", value: "--04-12" })],
      },
    ],
  ]
  test.each(CARDS)("reads a card %s", async (_, card, lead) => {
    const { call } = await openTestAccount()
    const body = await importing(call, `BEGIN:VCARD\n${card}\nEND:VCARD\n`)
    expect(body).toMatchObject({ created: 1, rejected: 0, warnings: [] })
    expect((await leadsOf(call))[0]).toMatchObject(lead)
  })

  test("takes groups and places for no leads; members have the group as a tag", async ({ call }) => {
    const card = (...lines: string[]) => `BEGIN:VCARD\nVERSION:4.0\n${lines.join("\n")}\nEND:VCARD\n`
    const body = await importing(
      call,
      card("FN:Ada", "UID:urn:uuid:AAA-1", "CATEGORIES:vip") +
        card("KIND:group", "FN:Chess club", "MEMBER:urn:uuid:aaa-1", "MEMBER:urn:uuid:bbb") +
        card("FN:Bob", "UID:bbb") +
        card(
          "X-ADDRESSBOOKSERVER-KIND:group",
          "N:Berlin",
          "FN:Berlin",
          "X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:bbb",
        ) +
        card("KIND:location", "FN:Room 5") +
        card("KIND:org", "FN:Acme"),
    )
    expect(body).toMatchObject({ created: 3, rejected: 0, total: 3 })
    expect(pluck(body.warnings, "line", "message")).toEqual([
      [7, 'the card "Chess club" is a group: its members have its name as a tag, no lead'],
      [19, 'the card "Berlin" is a group: its members have its name as a tag, no lead'],
      [26, 'the card "Room 5" is of the kind location, no lead'],
    ])
    const leads = pluck(await leadsOf(call), "name", "tags")
    expect(leads).toEqual([
      ["Acme", []],
      ["Ada", ["vip", "Chess club"]],
      ["Bob", ["Chess club", "Berlin"]],
    ])
  })

  test("is found out by the first line, whatever the type says", async ({ call }) => {
    const file = "BEGIN:VCARD\nVERSION:3.0\nFN:A\nEND:VCARD\nBEGIN:VCARD\nVERSION:3.0\nFN:B\nEND:VCARD"
    const { body } = await call("POST", "/leads/import", file, { "Content-Type": "text/plain" })
    expect(body).toMatchObject({ format: "vcf", created: 2 })
  })

  test("says which card is cut off or has nothing for a name", async ({ call }) => {
    const file = "BEGIN:VCARD\nVERSION:3.0\nNOTE:x\nEND:VCARD\nBEGIN:VCARD\nVERSION:3.0\nFN:B\n"
    const body = await importing(call, file)
    expect(body).toMatchObject({ created: 0, rejected: 2 })
    expect(pluck(body.errors, "line")).toEqual([1, 5])
    expect(body.errors[0].message).toContain("name is required")
    expect(body.errors[1].message).toContain("cut off")
  })
})
