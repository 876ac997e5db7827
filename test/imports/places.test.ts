// Places of maps, in the shapes that Overpass, overpass turbo, ogr2ogr, Overture and Foursquare write.
import { describe, expect, test } from "bun:test"
import { readFile } from "./reading.ts"

async function read(content: unknown, fileName: string) {
  const text = typeof content === "string" ? content : JSON.stringify(content)
  const { rows, columns } = await readFile(text, fileName)
  return {
    preset: columns.preset,
    leads: rows.flatMap((one) => ("lead" in one ? [one.lead] : [])),
    told: rows.flatMap((one) => ("footnote" in one ? [one.footnote.message] : [])),
  }
}

const tags = {
  name: "Café Blau",
  amenity: "cafe",
  "addr:street": "Hauptstraße",
  "addr:housenumber": "12a",
  "addr:postcode": "01067",
  "addr:city": "Dresden",
  "addr:country": "DE",
  "contact:phone": "+49 351 1234567",
  "contact:email": "hallo@blau.example",
  website: "https://blau.example/",
  opening_hours: "Mo-Fr 09:00-18:00",
}
const cafe = {
  name: "Café Blau",
  category: "cafe",
  address: "Hauptstraße 12a",
  postal_code: "01067",
  city: "Dresden",
  country: "DE",
  phone: "+49 351 1234567",
  email: "hallo@blau.example",
  website: "https://blau.example/",
  latitude: 51.05,
  longitude: 13.73,
}
const goudaShop = { name: "Bakker", shop: "yes", phone: "+31 20 1234567", "addr:city": "Gouda" }

describe("OpenStreetMap", () => {
  const point = { type: "Point", coordinates: [13.73, 51.05] }
  const square = { type: "Polygon", coordinates: JSON.parse("[[[4,52],[6,52],[6,53],[4,53],[4,52]]]") }
  const feature = (id: string, properties: object, geometry: object) => ({
    ...{ type: "Feature", properties, geometry, id },
  })
  const features = [
    feature("node/1", { "@id": "node/1", ...tags }, point),
    feature("way/2", { "@id": "way/2", ...goudaShop }, square),
  ]
  const turbo = { type: "FeatureCollection", generator: "overpass-turbo", features }
  const lines = features.map((one) => JSON.stringify(one)).join("\n")
  const elements = {
    version: 0.6,
    osm3s: { copyright: "ODbL" },
    elements: [
      { type: "node", id: 1, lat: 51.05, lon: 13.73, tags },
      { type: "way", id: 2, center: { lat: 52.5, lon: 5 }, nodes: [7, 8], tags: goudaShop },
      { type: "node", id: 7, lat: 52, lon: 4 },
    ],
  }
  const quoted = Object.values(tags).map((value) => `"${value}"`)
  const csv = `@id;@type;@lat;@lon;${Object.keys(tags).join(";")}\n1;node;51.05;13.73;${quoted.join(";")}\n`

  test.each([
    ["overpass turbo's GeoJSON", "export.geojson", turbo],
    ["lines of features", "export.geojsonl", lines],
    ["a text sequence", "export.geojsons", lines.replaceAll(/^/gm, "\u001e")],
    ["Overpass JSON", "interpreter.json", elements],
  ])("%s is mapped whole", async (_, name, content) => {
    const { leads, preset } = await read(content, name)
    expect(preset).toBe("openstreetmap")
    expect(leads).toMatchObject([
      { ...cafe, source_id: "node/1", source: "openstreetmap" },
      { name: "Bakker", category: "shop", source_id: "way/2", city: "Gouda", latitude: 52.5, longitude: 5 },
    ])
    expect(leads[0]?.attributes).toContainEqual({
      name: "opening_hours",
      type: "text",
      value: "Mo-Fr 09:00-18:00",
    })
  })

  test("points without tags are no leads, and told", async () => {
    expect((await read(elements, "x.json")).told).toEqual(["1 place has no tags: no leads"])
  })

  test("its keys in a CSV", async () => {
    expect((await read(csv, "overpass.csv")).leads).toMatchObject([{ ...cafe, source_id: "node/1" }])
  })

  test("the number is where the country has it", async () => {
    const us =
      "name,addr:housenumber,addr:street,addr:country\nDiner,12,Main Street,US\nCasa,3,Calle Mayor,ES\n"
    expect((await read(us, "x.csv")).leads.map(({ address }) => address)).toEqual([
      "12 Main Street",
      "Calle Mayor 3",
    ])
  })
})

test("GeoJSON of one's own: properties, with the place", async () => {
  const geometry = { type: "Point", coordinates: [8.5, 47.3, 400] }
  const features = [{ type: "Feature", geometry, properties: { Firma: "A", Ort: "Zug" } }]
  const collection = { type: "FeatureCollection", features }
  const { leads, preset } = await read(collection, "points.geojson")
  expect(preset).toBeNull()
  expect(leads).toMatchObject([{ name: "A", city: "Zug", latitude: 47.3, longitude: 8.5 }])
})

describe("Overture", () => {
  const properties = {
    id: "08f1",
    names: { primary: "Blue Bottle", common: null },
    categories: { primary: "coffee_shop", alternate: ["cafe"] },
    confidence: 0.97,
    websites: ["https://bluebottle.example/"],
    socials: ["https://www.facebook.com/1"],
    phones: ["+14155550100"],
    emails: ["hi@bluebottle.example"],
    addresses: [
      { freeform: "300 Webster St", locality: "Oakland", postcode: "94607", region: "CA", country: "US" },
    ],
    sources: [{ dataset: "meta", record_id: "1" }],
  }
  const want = {
    name: "Blue Bottle",
    source_id: "08f1",
    category: "coffee_shop",
    website: "https://bluebottle.example/",
    phone: "+14155550100",
    email: "hi@bluebottle.example",
    address: "300 Webster St",
    city: "Oakland",
    postal_code: "94607",
    state: "CA",
    country: "US",
  }
  const { id, ...others } = properties
  const feature = { type: "Feature", geometry: { type: "Point", coordinates: [-122.27, 37.79] } }
  const quoted = (value: unknown) =>
    `"${(typeof value === "string" ? value : JSON.stringify(value)).replaceAll('"', '""')}"`
  const cells = Object.values(properties).map(quoted).join(",")

  test.each([
    [
      "features",
      "p.geojson",
      { type: "FeatureCollection", features: [{ ...feature, id, properties: others }] },
    ],
    ["lines of features", "p.geojsonl", JSON.stringify({ ...feature, properties })],
    ["lines of records", "p.jl", JSON.stringify(properties)],
    ["a CSV with JSON in its cells", "p.csv", `${Object.keys(properties).join(",")}\n${cells}\n`],
  ])("%s are mapped whole", async (_, name, content) => {
    const { leads, preset } = await read(content, name)
    expect([preset, leads]).toMatchObject(["overture", [want]])
  })
})

describe("Foursquare", () => {
  const place = {
    fsq_place_id: "4b05",
    name: "Zoo",
    latitude: 52.5,
    longitude: 13.3,
    address: "Hardenbergplatz 8",
    locality: "Berlin",
    region: "BE",
    postcode: "10787",
    country: "DE",
    tel: "+49 30 254010",
    website: "https://zoo.example",
    email: "info@zoo.example",
    fsq_category_labels: ["Arts and Entertainment > Zoo"],
  }
  const want = {
    ...{ source_id: "4b05", name: "Zoo", latitude: 52.5, longitude: 13.3, address: "Hardenbergplatz 8" },
    ...{ city: "Berlin", state: "BE", postal_code: "10787", country: "DE", phone: "+49 30 254010" },
    ...{
      website: "https://zoo.example",
      email: "info@zoo.example",
      category: "Arts and Entertainment > Zoo",
    },
  }

  test("its open places", async () => {
    const { leads, preset } = await read(JSON.stringify(place), "places.jsonl")
    expect([preset, leads]).toMatchObject(["foursquare", [want]])
  })

  test("answers of its API", async () => {
    const { address, country, locality, postcode, region, tel, website, email } = place
    const result = {
      ...{ fsq_id: "4b05", name: "Zoo", categories: [{ id: 10056, name: "Zoo" }], tel, website, email },
      geocodes: { main: { latitude: 52.5, longitude: 13.3 } },
      location: { address, country, locality, postcode, region },
    }
    const answer = { results: [result], context: {} }
    expect((await read(answer, "search.json")).leads).toMatchObject([{ ...want, category: "Zoo" }])
  })
})
