// A phone number is the same whatever is written around it.
import { describe, expect, test } from "bun:test"
import { openTestAccount } from "../support/app.ts"

const DRESSED = [
  "tel:+49-30-80730693",
  "Tel. +49 30 80730693",
  "Tel.: 0049 (30) 80730693",
  "fon +49 30/80730693",
  "p:+493080730693",
  "T: +49 30 80730693",
  "(Büro) +49 30 80730693",
  "+49 30 80730693 (Zentrale)",
  "+49 30 80730693 mobil",
  "\u202a+49 30 80730693\u202c",
  "\u200e+49\u00a030\u202f80730693",
  "+49 30 8073\u00ad0693",
  "+49 30 80730693;",
  "'+49 30 80730693",
  "電話：+49 30 80730693",
  "＋４９ ３０ ８０７３０６９３",
  "+౪౯ ౩౦ ౮౦౭౩౦౬౯౩",
  "+૪૯ ૩૦ ૮૦૭૩૦૬૯૩",
  "+၄၉ ၃၀ ၈၀၇၃၀၆၉၃",
]
const EXTENDED = [
  "+49 30 80730693 ext. 12",
  "+49 30 80730693 Durchwahl 12",
  "+49 30 80730693 poste 12",
  "+49 30 80730693 доб. 12",
  "+49 30 80730693 内線12",
  "tel:+49-30-80730693;ext=12",
  "+49 30 80730693#12",
]

describe("a phone that is written otherwise", () => {
  test.each(DRESSED)("%j merges, is found and is on the list", async (phone) => {
    const { call } = await openTestAccount()
    const lead = { name: "Trattoria Da Nino", source: "test" }
    const { id } = (await call("POST", "/leads", { ...lead, phone: "+49 30 80730693" })).body
    expect((await call("POST", "/leads", { ...lead, phone })).body).toMatchObject({ id, duplicate: true })
    const filter = encodeURIComponent(`and.same.phone.${phone}`)
    expect((await call("GET", `/leads?filter=${filter}`)).body.count).toBe(1)
    const entry = (await call("POST", "/suppressions", { value: phone })).body
    const again = (await call("POST", "/suppressions", { kind: "phone", value: "+493080730693" })).body
    expect(again.id).toBe(entry.id)
    expect((await call("POST", "/leads", { name: "Other", source: "test", phone })).status).toBe(409)
  })

  test.each(EXTENDED)("%j is another line, but on the list as the number itself", async (phone) => {
    const { call } = await openTestAccount()
    const name = "Trattoria Da Nino"
    const { id } = (await call("POST", "/leads", { name, source: "test", phone })).body
    expect((await call("POST", "/leads", { name, source: "test", phone: EXTENDED[0] })).body.id).toBe(id)
    await call("POST", "/leads", { name: "Other place", source: "test", phone: "030 555123 ext. 7" })
    await call("POST", "/suppressions", { value: "030 555123" })
    await call("POST", "/suppressions", { value: "+49 30 80730693" })
    expect((await call("GET", "/leads?contactable=true")).body.count).toBe(0)
    expect((await call("POST", "/leads", { name, source: "test", phone })).status).toBe(409)
    const entry = await call("POST", "/suppressions", { kind: "phone", value: phone })
    expect(entry.body.value).toBe("+49 30 80730693")
  })

  test("is clean in what an import keeps, and the list stops it", async () => {
    const { call } = await openTestAccount()
    await call("POST", "/suppressions", { value: "+49 30 80730694" })
    const csv = `Company,Telefon\nA,"Tel. +49 30 80730693"\nB,p:+49 30 80730694\nC,\u202a+49 30 80730695\u202c\n`
    const { body } = await call("POST", "/leads/import?source=test", csv, { "Content-Type": "text/csv" })
    expect(body).toMatchObject({ created: 2 })
    const { leads } = (await call("GET", "/leads?sort_by=name")).body
    expect(leads.map(({ phone }: { phone: string }) => phone)).toEqual(["+49 30 80730693", "+49 30 80730695"])
  })

  test.each(["ask Klaus", "0800 CALL", "Haus 12"])("%s is no number, and stays as it is", async (phone) => {
    const { call } = await openTestAccount()
    const { id } = (await call("POST", "/leads", { name: "Nino", source: "test", phone })).body
    const found = await call("GET", `/leads?filter=${encodeURIComponent(`and.same.phone.${phone}`)}`)
    expect(found.body.leads).toMatchObject([{ id, phone }])
  })
})
