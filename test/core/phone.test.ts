import { describe, expect, test } from "bun:test"
import examples from "libphonenumber-js/examples.mobile.json"
import {
  getCountries,
  getCountryCallingCode,
  getExampleNumber,
  parsePhoneNumberFromString,
} from "libphonenumber-js/min"
import { phoneNumber, soughtPhone } from "../../src/text/phone.ts"
import { renumbered } from "../../src/text/renumbered-phones.ts"

describe("a phone number in its international form", () => {
  const cases: [phone: string, country: string | null, fallback: string | null, number: string | null][] = [
    ["+493080730693", null, null, "+493080730693"],
    ["+49 (0)30 / 807306-93", "France", null, "+493080730693"],
    ["0049 30 80730693", null, "US", "+493080730693"],
    ["(0049) 30 80730693", null, null, "+493080730693"],
    ["(030) 80730693", "Germany", null, "+493080730693"],
    ["(030) 80730693", "deutschland", "US", "+493080730693"],
    ["(030) 80730693", "Atlantis", "DE", "+493080730693"],
    ["(030) 80730693", null, "DE", "+493080730693"],
    ["(030) 80730693", null, null, null],
    ["(415) 555-2671", "USA", null, "+14155552671"],
    ["(415) 555-2671 ext. 12", "US", null, "+14155552671x12"],
    ["020 7946 0018", "UK", null, "+442079460018"],
    ["06 12 34 56 78", "fr", "DE", "+33612345678"],
    ["8 (495) 123-45-67", null, "RU", "+74951234567"],
    ["1-800-FLOWERS", "US", null, "+18003569377"],
    ["+1 800 FLOWERS", null, null, "+18003569377"],
    ["(800) CONTACTS", "US", null, "+18002668228"],
    ["1300 FLIGHT", "AU", null, "+611300354448"],
    ["HELLO WORLD", "US", null, null],
    ["0011 49 30 1234567", "AU", null, "+49301234567"],
    ["0049 30 1234567", "AU", null, "+49301234567"],
    ["001 65 6123 4567", "HK", null, "+6561234567"],
    ["001 852 2345 6789", "SG", null, "+85223456789"],
    ["001 82 2 312 3456", "TH", null, "+8223123456"],
    ["002 82 2 312 3456", "KR", null, "+8223123456"],
    ["009 49 30 1234567", "NG", null, "+49301234567"],
    ["00234 803 123 4567", "NG", null, "+2348031234567"],
    ["011 49 30 1234567", "US", null, "+49301234567"],
    ["00 1 212 555 0123", "DE", null, "+12125550123"],
    ["049 30 1234567", "DE", null, "+49301234567"],
    ["04930901820", "DE", null, "+4930901820"],
    ["04938 914123", "DE", null, "+494938914123"],
    ["๐๒ ๒๓๔ ๓๔๕๖", "TH", null, "+6622343456"],
    ["none", "DE", null, null],
    ["", "DE", null, null],
    ["+49", null, null, null],
    ["030 80730693, ask for Klaus", "DE", null, null],
    ["1".repeat(1_000), "DE", null, null],
  ]
  test.each(cases)("of %j in %j, else %j, is %j", (phone, country, fallback, number) => {
    expect(phoneNumber(phone, country, fallback)).toBe(number)
    expect(phoneNumber(phone, country, fallback)).toBe(number)
  })
})

describe("a phone number that says its country", () => {
  test.each(getCountries())("of %s is what the library takes it for", (country) => {
    const code = getCountryCallingCode(country)
    const national = String(getExampleNumber(country, examples)?.nationalNumber)
    const digits = [...national, "0", "8"]
    const changed = digits.flatMap((digit) => [
      ...[`${digit}${national}`, `0${digit}${national}`, `${national}${digit}`],
      ...[...national].map((_, i) => national.slice(0, i) + digit + national.slice(i + 1)),
    ])
    for (const one of [national, ...changed]) {
      const found = parsePhoneNumberFromString(`+${code}${one}`, { extract: false })
      // What a plan change renamed has the number of today (test/rest/renumbered-phones.test.ts).
      if ([one, found?.nationalNumber ?? one].some((line) => renumbered(code, line) !== undefined)) continue
      const number = found?.isValid() ? found.number : null
      expect(phoneNumber(`+${code}${one}`, null, null)).toBe(number)
      expect(phoneNumber(`+${code} ${one.slice(0, 2)}-${one.slice(2)}`, "DE", "US")).toBe(number)
    }
  })
})

describe("what a phone is looked for by", () => {
  test.each([
    ["030 80730693", "+493080730693"],
    ["(415) 555-2671", "+14155552671"],
    ["1 415 555 2671", "+14155552671"],
    ["8 495 123 45 67", "+74951234567"],
    ["49 30 80730693", "+493080730693"],
    ["+49 30 80730693", "+493080730693"],
  ])("%s may be %s", (text, number) => expect(soughtPhone(text).numbers).toContain(number))

  test("with its country it is one number, and what is none is its letters and digits alone", () => {
    expect(soughtPhone("0049 (30) 80730693")).toEqual({ key: "493080730693", numbers: ["+493080730693"] })
    expect(soughtPhone("1-800-FLOWERS")).toMatchObject({ key: "1800flowers" })
    expect(soughtPhone("ext. 5")).toEqual({ key: "ext5", numbers: [] })
    expect(soughtPhone(" - ")).toEqual({ key: null, numbers: [] })
  })
})
