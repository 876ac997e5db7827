import { describe, expect, test } from "bun:test"
import { addressOf } from "../../src/matching/address.ts"
import { comparableName } from "../../src/matching/name.ts"
import { isForAll, phoneOf } from "../../src/matching/phone.ts"
import { mailOf, registrable, webOf } from "../../src/matching/web.ts"

const NONE: string[] = []

describe("a name", () => {
  test.each<[string, string[], string]>([
    ["Müller GmbH & Co. KG", ["muller"], "gmbh co kg"],
    ["Kowalski Sp. z o.o.", ["kowalski"], "sp zoo"],
    ["Grupo Bimbo, S.A. de C.V.", ["grupo", "bimbo"], "sa de cv"],
    ["ООО Ромашка", ["romashka"], "ooo"],
    ["Acme Inc.", ["acme"], "inc"],
    ["株式会社トヨタ", ["トヨ", "ヨタ"], "株式会社"],
    ["Co", ["co"], ""],
    ["St. Mary Ctr", ["saint", "mary", "center"], ""],
  ])("%s", (text, words, form) => {
    const name = comparableName(text, NONE)!
    expect([name.words.map(({ text }) => text), name.form]).toEqual([words, form])
  })

  test.each(["unknown", "N/A", " - ", ""])("%p is none", (text) => {
    expect(comparableName(text, NONE)).toBeUndefined()
  })
})

describe("a phone", () => {
  test.each([
    ["+49 30 1234567", "DE", "301234567"],
    ["0049 (0)30 1234567", "DE", "301234567"],
    ["030/1234567", "DE", "301234567"],
    ["01452 538638", "GB", "1452538638"],
    ["+44 1452 538638", "GB", "1452538638"],
    ["(412) 555-0199", "US", "4125550199"],
    ["1-412-555-0199", "US", "4125550199"],
    ["06 46 561 561", "HU", "46561561"],
    ["8 (495) 123-45-67", "RU", "4951234567"],
  ])("%s in %s", (text, country, national) => {
    expect(phoneOf(text, country)?.national).toBe(national)
  })
})

test.each([
  ["+1 (800) 555-0199", "US", true],
  ["(937) 555-0199", "US", false],
  ["0800 1234567", "DE", true],
  ["030 8001234", "DE", false],
  ["0120-123-456", "JP", true],
  ["888-555-0199", "", true],
  ["5550199", "", false],
])("a phone %s in %p is for a whole country: %p", (text, country, forAll) => {
  expect(isForAll(phoneOf(text, country)!)).toBe(forAll)
})

describe("a web address", () => {
  test.each([
    ["https://www.shop.example.co.uk/a/?utm_source=x", "example.co.uk", "a"],
    ["Example.com", "example.com", ""],
    ["http://example.com/index.html", "example.com", ""],
    ["https://www.facebook.com/blountsville/", "facebook.com/blountsville", "blountsville"],
    ["https://muster.business.site/", "muster.business.site", ""],
    ["https://maps.google.com/?cid=771", "google.com/?cid=771", "?cid=771"],
    [
      "https://facebook.com/profile.php?id=100042&ref=x",
      "facebook.com/profile?id=100042",
      "profile?id=100042",
    ],
    ["https://www.booking.com/hotel/pt/casa-verde.pt-pt.html?aid=3", "booking.com/casa-verde", "casa-verde"],
    ["https://twitter.com/fjordkaffe", "x.com/fjordkaffe", "fjordkaffe"],
    ["https://l.facebook.com/l.php?u=https%3A%2F%2Ffjordkaffe.no%2Fom&h=AT1", "fjordkaffe.no", "om"],
    ["https://www.google.com/url?sa=t&url=https://fjordkaffe.no/", "fjordkaffe.no", ""],
    ["https://Weißbräu.de", "xn--weibru-dta6b.de", ""],
    ["https://weissbrau.de", "weissbrau.de", ""],
    ["https://www.xn--bckerei-5wa.at", "xn--bckerei-5wa.at", ""],
    ["https://www.Bäckerei.at", "xn--bckerei-5wa.at", ""],
  ])("%s", (text, site, path) => {
    expect(webOf(text)).toMatchObject({ site, path })
  })

  test.each(["No", "", "yes", "http://"])("%p is none", (text) => {
    expect(webOf(text)).toBeUndefined()
  })

  test("names its registrable domain", () => {
    expect(["a.b.com.br", "x.de", "www.y.ac.at"].map(registrable)).toEqual(["b.com.br", "x.de", "y.ac.at"])
  })
})

test("an email address at a public host is nobody's domain, and a desk is nobody", () => {
  expect(mailOf("J.Doe+x@GMail.com")).toEqual({
    local: "jdoe",
    domain: "gmail.com",
    isPublic: true,
    isRole: false,
  })
  expect(mailOf("info@firma.de")).toEqual({
    local: "info",
    domain: "firma.de",
    isPublic: false,
    isRole: true,
  })
})

describe("an address", () => {
  test.each<[string, string[], string, string[]]>([
    ["2610 W. 25th Pl.", ["2610"], "25th", []],
    ["Hauptstr. 12a", ["12a"], "haupt", []],
    ["33-35 Babbacombe Downs Road", ["33", "35"], "babbacombe", []],
    ["1530 E Williams Field Rd, Suite 206", ["1530"], "williams", ["206"]],
    ["Rua Duque de Caxias, 389", ["389"], "duque", []],
    ["道頓堀１丁目１−１１", ["1"], "道頓", []],
  ])("%s", (text, house, street, units) => {
    const address = addressOf(text, [NONE])!
    expect([address.house.slice(0, house.length), address.street, address.units]).toEqual([
      house,
      street,
      units,
    ])
  })
})
