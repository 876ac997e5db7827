// Invented people and firms, the same ones each time.

export type Invented = (typeof records)[number]

const FIRST = "Ada Björn Chloé Dmitri Eva Félix Giulia Håkon Inês José Łucja Zoë".split(" ")
const LAST = "Müller|O'Brien|García|Nguyễn|Rossi|de Vries|Søndergaard|Lefèvre|Kowalski|Şahin".split("|")
const KIND = ["Bakery", "Dental Care", "Roofing", "Logistics", "Café", "Studio", "Garage", "Books"]
const CITY: readonly [string, string, string, number, number][] = [
  ["Berlin", "BE", "10115", 52.52, 13.405],
  ["Dresden", "SN", "01067", 51.05, 13.737],
  ["Köln", "NW", "50667", 50.9375, 6.9603],
  ["München", "BY", "80331", 48.1374, 11.5755],
]
const TITLE = ["CEO", "Head of Sales", "Owner", "Purchasing Manager", "CTO"]

/** So many records: rows to try an import with. */
export const ROWS = 60

export const records = Array.from({ length: ROWS }, (_, i) => {
  const first = FIRST[i % FIRST.length]!
  const last = LAST[(i * 7) % LAST.length]!
  const [city, state, zip, lat, lng] = CITY[i % CITY.length]!
  const company = `${last} ${KIND[i % KIND.length]} ${i % 3 === 0 ? "GmbH" : i % 3 === 1 ? "& Co. KG" : "Ltd."}`
  return {
    i,
    first,
    last,
    company,
    title: TITLE[i % TITLE.length]!,
    email: `lead${i}@firm-${i}.example.com`,
    phone: `+49 30 ${String(1_000_000 + i * 137)}`,
    mobile: `+49 171 ${String(2_000_000 + i * 311)}`,
    domain: `firm-${i}.example.com`,
    street: `Hauptstraße ${i + 1}`,
    city,
    zip,
    state,
    country: "Germany",
    industry: KIND[i % KIND.length]!,
    rating: Math.round((30 + ((i * 13) % 21)) / 1) / 10,
    reviews: (i * 389) % 4_000,
    lat: Math.round((lat + i / 1_000) * 1e6) / 1e6,
    lng: Math.round((lng + i / 1_000) * 1e6) / 1e6,
    day: 1 + (i % 28),
  }
})

/** A cell as CSV writes it. */
function cell(value: unknown, delimiter: string): string {
  const text = value === null || value === undefined ? "" : String(value)
  return text.includes(delimiter) || /["\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export function csv(
  header: readonly string[],
  rows: readonly (readonly unknown[])[],
  delimiter = ",",
): string {
  return [header, ...rows].map((row) => row.map((one) => cell(one, delimiter)).join(delimiter)).join("\r\n")
}

export const two = (n: number) => String(n).padStart(2, "0")
