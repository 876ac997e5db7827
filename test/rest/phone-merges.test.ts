import { describe, expect, test } from "bun:test"
import { openTestAccount } from "../support/app.ts"

type Sent = Record<string, unknown>

async function pushTwo(one: Sent, other: Sent) {
  const { call } = await openTestAccount()
  const phone = "+49 30 80730693"
  const { id } = (await call("POST", "/leads", { source: "s", phone, ...one })).body
  const { status, body } = await call("POST", "/leads", { source: "s", phone, ...other })
  return { id, status, body }
}

describe("an equal phone", () => {
  test.each([
    ["Hotel Adler 1", "Hotel Adler 2"],
    ["Parkhaus Zentrum II", "Parkhaus Zentrum III"],
    ["Terminal A", "Terminal B"],
    ["Residencia Block D", "Residencia Block E"],
    ["Anna Weber", "Hanna Weber"],
    ["Dr. med. Jan Schmidt", "Dr. med. Jana Schmidt"],
    ["Martin Kowalski", "Martina Kowalski"],
    ["Александр Иванов", "Александра Иванов"],
    ["Hans Meier sen.", "Hans Meier jun."],
    ["First Baptist Church", "Third Baptist Church"],
    ["Kita Regenbogen Nord", "Kita Regenbogen Ost"],
  ])("keeps %s and %s apart", async (name, other) => {
    expect(await pushTwo({ name }, { name: other })).toMatchObject({ status: 201 })
  })

  test.each([
    ["Hotel Adler 2", "Hotel Adler 02"],
    ["Parkhaus Zentrum II", "Parkhaus Zentrum 2"],
    ["Stefan Maier", "Stephan Maier"],
    ["Hanna Weber", "Hannah Weber"],
    ["Café Mozart", "Cafe Mozart"],
    ["Alfa i Omega", "Alfa y Omega"],
    ["Trattoria Nino", "Trattoria Ninno"],
  ])("merges %s and %s", async (name, other) => {
    const { id, body } = await pushTwo({ name }, { name: other })
    expect(body).toMatchObject({ id, duplicate: true })
  })

  const name = "Targo Kiosk"
  test.each<[Sent, Sent]>([
    [{ city: "Berlin" }, { city: "München" }],
    [{ city: "London" }, { city: "Londonderry" }],
    [
      { city: "Omaha", address: "12 King Street" },
      { city: "Omaha", address: "480 Dodge Road" },
    ],
    [
      { latitude: 52.52, longitude: 13.4 },
      { latitude: 52.55, longitude: 13.4 },
    ],
  ])("asks about one name in two places: %j and %j", async (one, other) => {
    const { id, status, body } = await pushTwo({ name, ...one }, { name, ...other })
    expect(status).toBe(201)
    expect(body.potential_duplicate_id).toBe(id)
  })

  test.each<[Sent, Sent]>([
    [{ city: "Köln" }, { city: "Cologne" }],
    [{ city: "Frankfurt" }, { city: "Frankfurt am Main" }],
    [{ city: "北京" }, { city: "北京市" }],
    [{ city: "Praha" }, { city: "Prague" }],
    [{ address: "Hauptstr. 5" }, { address: "Hauptstraße 5" }],
    [{ city: "Berlin" }, {}],
    [
      { latitude: 52.52, longitude: 13.4 },
      { latitude: 52.521, longitude: 13.4 },
    ],
  ])("merges one name in one place: %j and %j", async (one, other) => {
    const { id, body } = await pushTwo({ name, ...one }, { name, ...other })
    expect(body).toMatchObject({ id, duplicate: true })
  })
})

describe("a number for all", () => {
  test.each([
    "+1 800 356 9377",
    "+49 800 3301000",
    "+44 800 111 4567",
    "+33 805 123 456",
    "+61 1300 655 506",
  ])("%s merges only in the same street", async (phone) => {
    const name = "Coin Depot"
    const { id, status, body } = await pushTwo({ name, phone }, { name, phone })
    expect([status, body.potential_duplicate_id]).toEqual([201, id])
    const place = { city: "Omaha", address: "12 King Street" }
    expect((await pushTwo({ name, phone, ...place }, { name, phone, ...place })).status).toBe(200)
  })

  test("is one that many names have", async () => {
    const { call } = await openTestAccount()
    const push = async (name: string) =>
      (await call("POST", "/leads", { name, source: "s", phone: "+493080730693" })).status
    for (const name of ["Optik Lang", "Bäckerei Ruf", "Zoo Müller", "Reisebüro Sonne", "Blumenhaus Veit"])
      expect(await push(name)).toBe(201)
    expect(await push("Blumenhaus Veith")).toBe(201)
    expect(await push("Zoo Müller")).toBe(200)
  })
})

describe("a placeholder of a phone", () => {
  test.each([
    "n/a",
    "k.A.",
    "sin teléfono",
    "なし",
    "нет",
    "#ERROR!",
    "#DIV/0!",
    "1.23E+11",
    "999",
    "112",
    "22833",
    "116117",
    "٩٩٩",
    "0000000000",
    "+49 000000000",
    "7777777",
    "1234567890",
    "0123456789",
    "9876543210",
    "brak",
    "暂无",
    "غير متوفر",
    "#REF!",
    "4,93E+11",
    "+1 (123) 456-7890",
    "123123123",
    "1111",
    "0800",
    "٠٠٠٠٠٠٠٠",
    "xxx-xxx-xxxx",
  ])("%s is kept as said and merges nothing", async (phone) => {
    const name = "Trattoria Nino"
    const { id, status, body } = await pushTwo({ name, phone }, { name, phone })
    expect([status, body.phone]).toEqual([201, phone])
    expect(body.id).not.toBe(id)
  })

  test.each(["030 1234567", "555 12 34", "call me 12", "٠٣٠١٢٣"])("%s is none", async (phone) => {
    const name = "Trattoria Nino"
    expect((await pushTwo({ name, phone }, { name, phone })).status).toBe(200)
  })
})
