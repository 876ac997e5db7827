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
    "Main St 5, Smallville",
    "Room 5 10115 Smallville",
    "Somewhere 5",
    "",
    ",,,",
    `${"a".repeat(400)}, 1`,
  ])("of %j nothing is certain", (text) => {
    expect(readPostalAddress(text)).toBeUndefined()
  })

  test.each([
    ["Torstraße 5, 10119 Berlin", { street: "Torstraße 5", country: "Germany" }],
    ["Torstraße 5, 10119 Berlin, DE", { street: "Torstraße 5", country: "Germany" }],
    ["Hauptstraße 153 10115 Berlin", { street: "Hauptstraße 153", city: "Berlin", country: "Germany" }],
    ["Bahnhofstrasse 1, 8001 Zürich", { street: "Bahnhofstrasse 1", country: "Switzerland" }],
    ["Torstraße 5, Berlin", { city: "Berlin" }],
    ["2 Rue Neuve, Paris, France", { city: "Paris", country: "France" }],
    ["Unit 4, 10 High St, Leeds, West Yorkshire, LS1 1AA", { city: "Leeds", state: "West Yorkshire" }],
    ["Main Street, Galway, Co. Galway, H91 XH26", { city: "Galway", state: "Co. Galway" }],
    ["Ermou 1, Athina 105 63, Greece", { city: "Athina", postal_code: "105 63", country: "Greece" }],
  ])("%s by the largest cities", (text, found) => {
    expect(readPostalAddress(text)).toMatchObject(found)
  })

  test("keeps what its parts do not say: the street is cut off only where nothing is lost", () => {
    expect(readPostalAddress("Bağdat Cd. No:1, 34710 Kadıköy/İstanbul, Türkiye")).not.toHaveProperty("street")
    expect(readPostalAddress("Rue X 1, 75004 PARIS CEDEX 04, France")).not.toHaveProperty("street")
  })

  test("takes the country of a small town from the phone, where its postal code has that form", () => {
    expect(readPostalAddress("Weg 5, 89542 Herbrechtingen", "+49 7324 1")).toMatchObject({
      country: "Germany",
    })
    expect(readPostalAddress("Weg 5, 89542 Herbrechtingen", "0043 1 1")).not.toHaveProperty("country")
    expect(readPostalAddress("Weg 5, 89542 Herbrechtingen", "07324 1")).not.toHaveProperty("country")
  })
})

const zipFirst = (zip: string, city: string) => `${zip} ${city}`
const zipLast = (zip: string, city: string) => `${city} ${zip}`
const zipApart = (zip: string, city: string) => `${city}, ${zip}`

/** Country, its name at home, dialling code, cities behind their postal codes, two streets, and how a place is written. */
const MADE = `
Germany;Deutschland;49;10115=Berlin|80331=München|89542=Herbrechtingen|06108=Halle (Saale);Hauptstraße 153|Am Markt 3a
Austria;Österreich;43;1010=Wien|8010=Graz|3100=St. Pölten|6370=Kitzbühel;Stephansplatz 1/4|Ringstraße 7
Switzerland;Schweiz;41;8001=Zürich|1201=Genève|9000=St. Gallen|3920=Zermatt;Bahnhofstrasse 1|Rue du Rhône 12
France;France;33;75004=Paris|69001=Lyon|13100=Aix-en-Provence|74400=Chamonix;10 Rue de Rivoli|5 bis Avenue Foch
Italy;Italia;39;00184=Roma|20121=Milano|50122=Firenze|84017=Positano;Via Appia 12|Piazza del Duomo, 1
Spain;España;34;28014=Madrid|08002=Barcelona|35001=Las Palmas de Gran Canaria|29400=Ronda;C. de Alcalá, 1|Av. Diagonal, 211
Netherlands;Nederland;31;1012 LG=Amsterdam|2511 CV=Den Haag|6211 HE=Maastricht|1141 AB=Monnickendam;Damrak 1|Oudegracht 12-a
Belgium;België;32;1000=Bruxelles|2000=Antwerpen|9000=Gent|8620=Nieuwpoort;Rue Neuve 1|Meir 24 bus 3
Poland;Polska;48;00-001=Warszawa|31-042=Kraków|80-831=Gdańsk|34-500=Zakopane;ul. Prosta 1|al. Jana Pawła II 12/5
Sweden;Sverige;46;111 57=Stockholm|411 06=Göteborg|211 34=Malmö|981 31=Kiruna;Sveavägen 1|Storgatan 14 B
United Kingdom;UK;44;NW1 6XE=London|M1 1AE=Manchester|NE1 7RU=Newcastle upon Tyne|TR26 1LP=St Ives;221B Baker St|Flat 2, 10 High Street
United States;USA;1;TX 77002=Houston|IL 62701=Springfield|CA 94103=San Francisco|NY 10012=New York;123 Main St|500 5th Ave, Suite 12`
  .trim()
  .split("\n")
  .map((line) => line.split(";") as [string, string, string, string, string])

test("of made addresses of 12 countries at least 95 in 100 have the right city and country", () => {
  const missed: string[] = []
  const wrong: string[] = []
  let total = 0
  for (const [country, own, dial, cities, streets] of MADE)
    for (const one of cities.split("|"))
      for (const street of streets.split("|")) {
        const [zip = "", city = ""] = one.split("=")
        const form = dial === "44" ? zipLast : dial === "1" ? zipApart : zipFirst
        const place = form(zip, city)
        for (const [text, phone] of [
          [`${street}, ${place}, ${country}`],
          [`${street}, ${place}, ${own}`],
          [`${street}\n${place}\n${own}`],
          [`Anna & Söhne, ${street}, ${place}, ${own}`],
          [`${street}, ${place}`, `+${dial} 123 4567`],
          [`${street}, ${place}`, `00${dial} 123 4567`],
          [`${street}, ${place}`],
        ] as const) {
          total++
          const found = readPostalAddress(text, phone)
          if (found?.city !== city) wrong.push(`${text}: ${found?.city}`)
          if (found?.country === undefined) missed.push(text)
          else if (![country, own].includes(found.country)) wrong.push(`${text}: ${found.country}`)
        }
      }
  // What is not certain is left out, and nothing is wrong.
  expect(wrong).toEqual([])
  expect(total).toBe(672)
  expect(missed.length / total).toBeLessThan(0.05)
})
