import { describe, expect, test } from "bun:test"
import { Index } from "../../scripts/matching/match-all.ts"
import { areTwoNames, type MatchableLead, score } from "../../src/matching/matcher/index.ts"
import { compared } from "./lead.ts"

const bakery: MatchableLead = {
  name: "Bäckerei Sonnenschein GmbH",
  phone: "+49 30 4455667",
  website: "https://sonnenschein-brot.de",
  address: "Hauptstr. 12",
  city: "Berlin",
  country: "DE",
  postal_code: "10115",
  latitude: 52.5321,
  longitude: 13.3849,
}

const mall: MatchableLead = { name: "", address: "3 Temasek Blvd", city: "Singapore", postal_code: "038983" }

describe("the same", () => {
  test.each<[string, MatchableLead]>([
    [
      "written another way",
      { ...bakery, name: "Baeckerei Sonnenschein", address: "Hauptstraße 12", phone: "030 4455667" },
    ],
    ["without phone", { ...bakery, phone: null }],
    ["with a typing error", { ...bakery, name: "Bäckerei Sonenschein GmbH" }],
    ["with another site", { ...bakery, website: "https://facebook.com/sonnenschein" }],
  ])("%s", (_, other) => {
    expect(compared(bakery, other).probability).toBeGreaterThan(0.9)
  })

  const { phone: _phone, ...placed } = bakery
  test.each<[string, MatchableLead, MatchableLead]>([
    [
      "with trade and city in another language",
      { name: "Apotheke Fischermann", city: "Köln" },
      { name: "Fischermann Pharmacy", city: "Cologne" },
    ],
    ["with street and city swapped", placed, { ...placed, address: "Berlin", city: "Hauptstr. 12" }],
    [
      "with name and company swapped",
      { name: "Anna Keller", company: "Jornara KG", city: "Bonn" },
      { name: "Jornara KG", company: "Anna Keller", city: "Bonn" },
    ],
    [
      "moved within the town",
      placed,
      { ...placed, address: "Ring 4", postal_code: "10999", latitude: 52.509 },
    ],
    [
      "with a phone that ends in the switchboard's 0",
      { name: "Sonnenschein Brot", phone: "030 4455667-0", city: "Berlin", country: "DE" },
      { name: "Bäckerei Sonnenschein", phone: "+49 30 4455667", city: "Berlin", country: "DE" },
    ],
  ])("%s", (_, one, other) => {
    expect(compared(one, other).probability).toBeGreaterThan(0.5)
  })

  test("half a name, and an email that tells the other half", () => {
    const dob = { city: "Leeds", attributes: [{ name: "dob", value: "1990-09-28" }] }
    const { probability, reasons } = compared(
      { ...dob, name: "Oliver", email: "oliver.shakelton@mail.example" },
      { ...dob, name: "Shakelton" },
    )
    expect(reasons.map(({ text }) => text)).toContain("the email of one has the name of the other")
    expect(probability).toBeGreaterThan(0.5)
  })

  test("a person in the other order, with a nickname", () => {
    const one = {
      name: "William Shakelton",
      email: "w.shakelton@mail.com",
      city: "Leeds",
      phone: "0113 4960123",
      country: "GB",
    }
    const other = {
      name: "Shakelton Bill",
      email: "w.shakelton@mail.co",
      city: "Leeds",
      phone: "+441134960123",
      country: "GB",
    }
    expect(compared(one, other).probability).toBeGreaterThan(0.9)
  })
})

describe("not the same", () => {
  test.each<[string, MatchableLead, MatchableLead]>([
    [
      "branches of a chain",
      { name: "Starbucks", city: "Austin", address: "1 Main St" },
      { name: "Starbucks", city: "Austin", address: "900 Oak Ave" },
    ],
    [
      "neighbours in a mall",
      { name: "Nail Palace", city: "Austin", address: "1 Main St" },
      { name: "Vision Optics", city: "Austin", address: "1 Main St" },
    ],
    [
      "colleagues",
      { name: "Ana Lopez", email: "ana@acme.com", company: "Acme" },
      { name: "Bert Maier", email: "bert@acme.com", company: "Acme" },
    ],
    [
      "what is in a place, and the place",
      { ...mall, name: "E-Hub @ Suntec City" },
      { ...mall, name: "Suntec City" },
    ],
    [
      "two parts of a place",
      { ...mall, name: "Library of Suntec City" },
      { ...mall, name: "Car Park of Suntec City" },
    ],
    [
      "branches with a phone each",
      bakery,
      { ...bakery, phone: "+49 30 9988776", address: "Ring 4", postal_code: "10999", latitude: 52.509 },
    ],
    ["only a common name", { name: "Restaurant" }, { name: "Restaurant", city: "Rome" }],
  ])("%s", (_, one, other) => {
    expect(compared(one, other).probability).toBeLessThan(0.5)
  })
})

describe("is less probable", () => {
  const shop: MatchableLead = { name: "Kopps Automaten", city: "Dayton", country: "US", address: "1 Main St" }
  const elsewhere: MatchableLead = { ...shop, city: "Newark", address: "70 Tonnele Ave" }
  const agent: MatchableLead = {
    name: "Guild Mortgage Aaron Brown",
    address: "525 West Park Dr",
    city: "Macon",
    website: "guildmortgage.example/aaron-brown",
    phone: "(478) 555-0101",
    country: "US",
  }
  const colleague: MatchableLead = {
    ...agent,
    name: "Guild Mortgage Chris Calhoun",
    website: "guildmortgage.example/chris-calhoun",
    phone: "(478) 555-0177",
  }
  test.each<[string, [MatchableLead, MatchableLead], [MatchableLead, MatchableLead]]>([
    [
      "with a phone that is free of charge all over the country",
      [
        { ...shop, phone: "(800) 555-0199" },
        { ...elsewhere, phone: "1-800-555-0199" },
      ],
      [
        { ...shop, phone: "(937) 555-0199" },
        { ...elsewhere, phone: "1-937-555-0199" },
      ],
    ],
    [
      "where all that names share is the name of the site that both have",
      [agent, colleague],
      [
        { ...agent, website: "homes.example/aaron-brown" },
        { ...colleague, website: "homes.example/chris-calhoun" },
      ],
    ],
  ])("%s", (_, less, more) => {
    expect(compared(...less).probability).toBeLessThan(compared(...more).probability / 1.2)
  })
})

test("reasons say in words what speaks for and against, in bits, most telling first", () => {
  const { reasons } = compared(bakery, { ...bakery, name: "Bäckerei Sonnenschein", latitude: 52.5337 })
  expect(reasons.map(({ text }) => text)).toEqual(
    expect.arrayContaining(["same phone", 'same name, "GmbH" aside', "180 m apart", "same website"]),
  )
  const sizes = reasons.map(({ bits }) => Math.abs(bits))
  expect(sizes).toEqual(sizes.toSorted((a, b) => b - a))
})

test("tenants of a house with many are told by more than its address", () => {
  const index = new Index()
  const [one, other] = [
    { ...mall, name: "Suntec City" },
    { ...mall, name: "Marche Movenpick Suntec City" },
  ].map((lead) => index.add({ ...lead, latitude: 1.2938, longitude: 103.8573 })) as [number, number]
  const probability = () => score(index.prepared[one]!, index.prepared[other]!, index.counts)
  const alone = probability()
  for (let i = 0; i < 33; i++) index.add({ ...mall, name: `Boutique ${i}` })
  expect(alone).toBeGreaterThan(0.98)
  expect(probability()).toBeLessThan(0.9)
})

test("a line of the same number is no slip of a digit", () => {
  const texts = (phone: string) =>
    compared({ name: "Sonne", phone: "+49 30 4455667" }, { name: "Sonne", phone }).reasons.map(
      ({ text }) => text,
    )
  expect(texts("+49 30 4455668")).toContain("neighbouring phone numbers")
  expect(texts("+49 30 445566712")).toContain("neighbouring phone numbers")
  expect(texts("+49 30 4155667")).toContain("phone with one digit changed")
  expect(texts("+49 30 4455667 ext. 12")).toContain("same phone")
})

test("comparing is the same in both directions", () => {
  const other = { ...bakery, name: "Sonnenschein Brot", phone: null, address: "Hauptstr. 14" }
  expect(compared(bakery, other).probability).toBeCloseTo(compared(other, bakery).probability, 9)
})

describe("is worth a look, but never shown as certain", () => {
  const place = {
    address: "Lindenweg 4",
    city: "Bonn",
    postal_code: "53111",
    phone: "0228 555010",
    country: "DE",
  }
  test.each<[string, MatchableLead, MatchableLead]>([
    ["two of one household", { ...place, name: "Anna Wiesenthal" }, { ...place, name: "Peter Wiesenthal" }],
    [
      "a counter in a shop",
      { ...place, name: "Valley Bank", website: "valley.example/bonn" },
      { ...place, name: "Valley Bank ATM", website: "valley.example/bonn" },
    ],
    [
      "of one phone, in the next house, under half of the name",
      { ...place, name: "Kimbark" },
      { ...place, name: "Stadtschule Kimbark Woodlawn", address: "Lindenweg 6" },
    ],
    [
      "branches with numbers",
      { ...place, name: "Kita Sonnenschein 2", website: "kita.example" },
      { ...place, name: "Kita Sonnenschein 3", website: "kita.example" },
    ],
    [
      "two in one house with other telephones",
      { ...place, name: "Bitterroot Obstetrics", website: "bitterroot.example" },
      { ...place, name: "Bitterroot Primary Care", website: "bitterroot.example", phone: "0228 771234" },
    ],
  ])("%s", (_, one, other) => {
    expect(compared(one, other).probability).toBeLessThan(0.95)
  })
})

describe("a firm and its branch", () => {
  const place = { address: "Limbecker Platz 1a", postal_code: "45127", city: "Essen", country: "DE" }
  const between = (one: string, other: string, tenants: number) => {
    const index = new Index()
    for (let i = 0; i < tenants; i++)
      index.add({
        ...place,
        name: `Tenant${i} Laden${i * 7} - Limbecker Platz`,
        phone: `+49 201 ${100_000 + i * 37}`,
      })
    const [a, b] = [one, other].map((name) => index.add({ ...place, name })) as [number, number]
    expect(index.candidates(a).includes(b) || index.candidates(b).includes(a)).toBe(true)
    return score(index.prepared[a]!, index.prepared[b]!, index.counts)
  }
  test.each([
    ["Fielmann", "Fielmann - Limbecker Platz"],
    ["Fielmann", "Fielmann (Limbecker Platz)"],
    ["Apollo Optik", "Apollo Optik – Limbecker Platz"],
  ])("%s and %s are as probable alone as among 120 tenants", (one, other) => {
    const alone = between(one, other, 0)
    for (const tenants of [20, 60, 120])
      expect(Math.abs(between(one, other, tenants) - alone)).toBeLessThan(0.05)
  })
})

const born = (value: string) => ({ attributes: [{ name: "date of birth", type: "date", value }] })

describe("persons", () => {
  const hans = { name: "Hans Müller", ...born("1980-03-04") }
  test.each([
    ["another year and day", born("1961-11-24"), 0, 0.5],
    ["a day that differs by a digit", born("1980-03-05"), 0.5, 0.95],
    ["day and month exchanged", born("1980-04-03"), 0.5, 0.95],
    ["the same date", born("1980-03-04"), 0.95, 1],
  ])("of one name with %s", (_, more, least, most) => {
    const { probability } = compared(hans, { name: "Hans Müller", ...more })
    expect(probability).toBeGreaterThanOrEqual(least)
    expect(probability).toBeLessThanOrEqual(most)
  })

  test("with one email and a date that differs by a digit are one", () => {
    const email = "h.mueller@firm.example"
    const other = { name: "Hans Müller", email, ...born("1980-03-05") }
    expect(compared({ ...hans, email }, other).probability).toBeGreaterThan(0.99)
  })

  test("of two given names at one firm are colleagues", () => {
    const firm = { company: "Hübner GmbH", website: "huebner.example" }
    const joerg = {
      name: "Jörg Hübner",
      email: "joerg.huebner@huebner.example",
      phone: "+49 30 1234567",
      ...firm,
    }
    const bjoern = {
      name: "Björn Hübner",
      email: "bjoern.huebner@huebner.example",
      phone: "+49 30 1234599",
      ...firm,
    }
    expect(compared(joerg, bjoern).probability).toBeLessThan(0.5)
    expect(compared(joerg, { ...joerg, name: "Joerg Huebner", email: null }).probability).toBeGreaterThan(0.9)
    const [maria, mario] = ["maria", "mario"].map((name) => ({
      email: `${name}.huebner@huebner.example`,
      ...firm,
    }))
    expect(
      compared({ ...maria, name: "Dr. Maria Hübner" }, { ...mario, name: "Mario Hübner" }).probability,
    ).toBeLessThan(0.9)
  })
})

test.each([
  ["Ülkü von der Heide", "uelkue.vonderheide", "Ömer von der Heide", "oemer.vonderheide", 0, 0.1],
  ["Peter Stolz", "p.stolz", "Anna Stolz", "a.stolz", 0, 0.1],
  ["Alex Weiss", "alex", "Alexander Weiss", "alexander.weiss", 0.9, 1],
  ["Bill Meyer", "bill.meyer", "William Meyer", "william.meyer", 0.9, 1],
  ["Andrea Weiss", "andrea.weiss", "Andreas Weiss", "andreas.weiss", 0, 0.2],
])("%s, %s, and %s, %s, at one firm", (nameA, localA, nameB, localB, least, most) => {
  const [a, b] = [
    [nameA, localA],
    [nameB, localB],
  ].map(([name, local]) => ({ name, email: `${local}@firm.example` }))
  const { probability } = compared(a as MatchableLead, b as MatchableLead)
  expect(probability).toBeGreaterThanOrEqual(least)
  expect(probability).toBeLessThanOrEqual(most)
})

const house = { address: "Weg 1", city: "Berlin", country: "DE", phone: "+49 30 1234567" }

test.each([
  ["National Library of Scotland", "National Library of Scotland Cafe"],
  ["St Giles Cathedral", "St Giles Cathedral Shop"],
  ["Omni Centre", "Omni Centre Car Park"],
  ["Deutsches Museum", "Deutsches Museum Tiefgarage"],
  ["Museo del Prado", "Museo del Prado Tienda"],
  ["Rijksmuseum", "Rijksmuseum Winkel"],
  ["Teatro Real", "Cafetería del Teatro Real"],
  ["Museu Nacional de Arte", "Museu Nacional de Arte Loja"],
  ["Galleria Borghese", "Biglietteria Galleria Borghese"],
  ["Centre Pompidou", "Billetterie du Centre Pompidou"],
  ["Národní muzeum", "Parkoviště Národní muzeum"],
  ["Muzeum Narodowe", "Kawiarnia Muzeum Narodowe"],
  ["Ateneum", "Ateneum Kahvila"],
  ["Nationalmuseum", "Nationalmuseum Parkering"],
  ["Topkapı Sarayı", "Topkapı Sarayı Otopark"],
  ["Эрмитаж", "Магазин Эрмитаж"],
  ["Ακρόπολη Μουσείο", "Ακρόπολη Μουσείο Καφέ"],
  ["Magyar Nemzeti Múzeum", "Magyar Nemzeti Múzeum Kávézó"],
  ["Muzeul Satului", "Muzeul Satului Parcare"],
  ["東京国立博物館", "東京国立博物館 カフェ"],
  ["南京博物院", "南京博物院停车场"],
  ["국립중앙박물관", "국립중앙박물관 주차장"],
  ["متحف قطر", "متحف قطر مقهى"],
  ["מוזיאון ישראל", "מוזיאון ישראל חניון"],
  ["Terminal A", "Terminal B"],
  ["Haus A Seniorenheim", "Haus B Seniorenheim"],
  ["Anna Schmidt", "Hanna Schmidt"],
  ["Hotel Adler 1", "Hotel Adler 2"],
])("%s and %s are not surely one, whatever else agrees", (one, other) => {
  const { probability } = compared({ name: one, ...house }, { name: other, ...house })
  expect(probability).toBeLessThan(0.95)
})

test.each([
  ["Lindenstraße Apotheke", "Lindenstraße Bäckerei"],
  ["Hotel Lindenstrasse", "Praxis Lindenstrasse"],
  ["Bonn Apotheke", "Bonn Bäckerei"],
])("%s and %s share their street's or city's name alone", (one, other) => {
  const place = { address: "Lindenstr. 4", city: "Bonn", postal_code: "53111", country: "DE" }
  expect(compared({ name: one, ...place }, { name: other, ...place }).probability).toBeLessThan(0.5)
})

describe("names", () => {
  test.each([
    ["Kita Sonne Ost", "Kita Sonne West"],
    ["Filiale Nordost", "Filiale Nordwest"],
    ["Kuzey Şubesi", "Güney Şubesi"],
    ["Północ Biuro", "Południe Biuro"],
    ["Primera Iglesia", "Segunda Iglesia"],
    ["Escola Primária Um", "Escola Primária Dois"],
    ["Lager Eins", "Lager Zwei"],
    ["Halle III", "Halle IV"],
    ["Корпус А", "Корпус Б"],
    ["第一小学", "第二小学"],
    ["東口店", "西口店"],
    ["Alte Apotheke", "Neue Apotheke"],
    ["Mens Salon", "Womens Salon"],
    ["Inner Harbour Cafe", "Outer Harbour Cafe"],
    ["Haus Alpha", "Haus Beta"],
    ["Dr. Paul Meier", "Dr. Paula Meier"],
    ["Dr. Maria Stolz", "Mario Stolz"],
    ["Prof. Dr. med. Anna Kranz", "Hanna Kranz"],
  ])("%s and %s are of two things", (one, other) => {
    expect(areTwoNames(one, other)).toBe(true)
  })

  test.each([
    ["Hotel Adler 2", "Hotel Adler II"],
    ["Hotel Adler 2", "Hotel Adler 02"],
    ["Phillip Meyer", "Philipp Meyer"],
    ["Müller & Söhne", "Mueller und Soehne"],
    ["Werkstatt Nord", "Werkstatt North"],
    ["Alte Apotheke", "Alter Apotheke"],
    ["Carl Zeiss", "Karl Zeiss"],
    ["Mohamed Ali", "Mohamad Ali"],
    ["Dr. rer. nat. Stephan Kurz", "Stefan Kurz"],
    ["Dr. Müller", "Praxis Dr. Müller"],
  ])("%s and %s may be one", (one, other) => {
    expect(areTwoNames(one, other)).toBe(false)
  })
})

test("reasons add up to the probability", () => {
  for (const other of [
    { name: "Hans Müller", ...born("1961-11-24") },
    { name: "Hans Meier", city: "Bonn" },
  ]) {
    const { probability, reasons } = compared({ name: "Hans Müller", ...born("1980-03-04") }, other)
    const bits = reasons.reduce((sum, reason) => sum + reason.bits, 0)
    expect(Math.abs(Math.log2(probability / (1 - probability)) - bits)).toBeLessThan(0.6)
  }
})
