// The leads that an agent's morning is about.

export const LEADS = 2_000
const CITIES = ["Berlin", "Hamburg", "München", "Köln", "Leipzig", "Bonn", "Essen", "Kiel"]
const TRADES = ["Bäckerei", "Praxis", "Kanzlei", "Werkstatt"]
const STATUSES = ["new", "contacted", "qualified", "converted"]
/** Its description is what the vague search is about. */
export const ORGANS = 777

export function lead(i: number) {
  return {
    name: `${TRADES[i % TRADES.length]} Nummer ${i}`,
    source: ["fair", "web", "list"][i % 3],
    email: i % 5 === 0 ? null : `info${i}@example${i % 97}.de`,
    phone: `+49 30 ${100_000 + i}`,
    city: CITIES[i % CITIES.length],
    category: i % 4 === 1 ? "dentist" : "shop",
    status: STATUSES[i % STATUSES.length],
    rating: (i % 50) / 10,
    review_count: i % 300,
    latitude: 52.5 + (i % 40) / 20,
    longitude: 13.4 + (i % 30) / 20,
    description:
      i === ORGANS ? "A family business that restores old church organs" : `Lead number ${i} of the list`,
    attributes: [{ name: "employees", type: "number", value: i % 250 }],
  }
}

/** Two leads of one business, which a push does not take for the same. */
export const TWINS = [
  { name: "Zwillinge Optik GmbH", source: "fair", city: "Ulm", phone: "0731 555", website: "optik.example" },
  { name: "Zwillinge Optik GmbH", source: "web", city: "Ulm", website: "www.optik.example", rating: 4 },
]
