import { describe, expect, test } from "bun:test"
import { readPostalAddress } from "../../src/domain/imports/convert/postal-address.ts"

describe("a postal address in one text", () => {
  test.each([
    ["Hauptstraße 153, 10115 Berlin, Deutschland", "Berlin", "10115", "Deutschland"],
    ["Stephansplatz 1, 1010 Wien, Österreich", "Wien", "1010", "Österreich"],
    ["Bahnhofstrasse 1, CH-8001 Zürich", "Zürich", "8001", "Switzerland"],
    ["10 Rue de Rivoli, 75004 Paris, France", "Paris", "75004", "France"],
    ["Via Appia 12, 00184 Roma RM, Italia", "Roma", "00184", "Italia"],
    ["C. de Alcalá, 1, 28014 Madrid, Spain", "Madrid", "28014", "Spain"],
    ["Rua Augusta 1, 1100-148 Lisboa", "Lisboa", "1100-148", "Portugal"],
    ["Damrak 1, 1012 LG Amsterdam, Netherlands", "Amsterdam", "1012 LG", "Netherlands"],
    ["ul. Prosta 1, 00-001 Warszawa", "Warszawa", "00-001", "Poland"],
    ["Sveavägen 1, 111 57 Stockholm, Sweden", "Stockholm", "111 57", "Sweden"],
    ["221B Baker St, London NW1 6XE", "London", "NW1 6XE", "United Kingdom"],
    ["Dame St, Dublin 2, D02 XY00, Ireland", "Dublin", "D02 XY00", "Ireland"],
    ["123 Main St, Springfield, IL 62701, USA", "Springfield", "62701", "USA"],
    ["1 King St W, Toronto, ON M5H 1A1, Canada", "Toronto", "M5H 1A1", "Canada"],
    ["5 George St, Sydney NSW 2000, Australia", "Sydney", "2000", "Australia"],
    [
      "Av. Paulista, 1578 - Bela Vista, São Paulo - SP, 01310-200, Brazil",
      "São Paulo",
      "01310-200",
      "Brazil",
    ],
    ["MG Road, Bengaluru, Karnataka 560001, India", "Bengaluru", "560001", "India"],
    ["Bağdat Cd. No:1, 34710 Kadıköy/İstanbul, Türkiye", "İstanbul", "34710", "Türkiye"],
  ])("%s", (text, city, postal_code, country) => {
    expect(readPostalAddress(text)).toMatchObject({ city, postal_code, country })
  })

  test.each([
    "12345 Main Street, Nowhere",
    "Main St 5, Berlin",
    "Somewhere 5",
    "",
    ",,,",
    `${"a".repeat(400)}, 1`,
  ])("of %j nothing is certain", (text) => {
    expect(readPostalAddress(text)).toBeUndefined()
  })
})
