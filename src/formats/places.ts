// Rows of maps: features of GeoJSON and elements of Overpass become flat rows of their tags, and places of OpenStreetMap,
// Overture and Foursquare get the address, category and id that their keys say in parts.

import { isObject } from "../lead/parse.ts"
import { noticeRow, parsedCell, type SourceRow, type Table } from "./rows.ts"

type Tags = Record<string, unknown>

/** Columns that are made of several others, in front of a row's own. */
interface Made {
  names: readonly string[]
  of(tags: Tags): readonly unknown[]
}

/** Keys that say what a place is, the first that a place has. */
const KINDS = ["amenity", "shop", "office", "craft", "healthcare", "tourism", "leisure", "industrial", "club"]
/** A multipolygon has lists in lists in lists of positions. */
const GEOMETRY_DEPTH = 4
/** Countries where the number stands before the street. */
const NUMBER_FIRST = new Set("US CA GB IE FR LU AU NZ ZA IN SG HK PH TH IL".split(" "))

const OSM: Made = {
  names: ["osm:id", "osm:address", "osm:category"],
  of: (tags) => [osmId(tags), osmAddress(tags), osmCategory(tags)],
}
const OVERTURE: Made = {
  names: ["name", "category", "website", "address", "city", "postal_code", "state", "country"].map(
    (name) => `overture:${name}`,
  ),
  of: overturePlace,
}

const FOURSQUARE: Made = {
  names: ["foursquare:category"],
  of: ({ categories }) => {
    const [first] = Array.isArray(categories) ? categories : []
    return [isObject(first) ? (first.name ?? null) : null]
  },
}

const text = (value: unknown) =>
  typeof value === "number" || (typeof value === "string" && value.trim() !== "") ? String(value) : null

function osmId(tags: Tags): unknown {
  const id = text(tags["@id"] ?? tags.osm_id ?? tags.full_id ?? tags.id)
  const type = text(tags["@type"] ?? tags.osm_type)
  return id !== null && type !== null && /^\d+$/.test(id) ? `${type}/${id}` : id
}

function osmAddress(tags: Tags): unknown {
  const street = text(tags["addr:street"]) ?? text(tags["addr:place"])
  const number = text(tags["addr:housenumber"]) ?? text(tags["addr:conscriptionnumber"])
  if (street === null) return text(tags["addr:full"]) ?? text(tags["addr:housename"])
  if (number === null) return street
  const country = text(tags["addr:country"])?.toUpperCase() ?? ""
  return NUMBER_FIRST.has(country) ? `${number} ${street}` : `${street} ${number}`
}

function osmCategory(tags: Tags): unknown {
  const key = KINDS.find((kind) => text(tags[kind]) !== null && tags[kind] !== "no")
  return key === undefined ? null : tags[key] === "yes" ? key : tags[key]
}

function overturePlace(tags: Tags): readonly unknown[] {
  const part = (key: string) => parsedCell(tags[key])
  const first = (value: unknown) => (Array.isArray(value) ? value[0] : undefined)
  const in_ = (value: unknown, key: string) => (isObject(value) ? (value[key] ?? null) : null)
  const address = first(part("addresses"))
  return [
    in_(part("names"), "primary"),
    in_(part("categories"), "primary") ?? in_(part("taxonomy"), "primary"),
    first(part("websites")) ?? null,
    ...["freeform", "locality", "postcode", "region", "country"].map((key) => in_(address, key)),
  ]
}

const OSM_KEY = /^(?:addr:[a-z_]+|contact:(?:phone|mobile|email|website|facebook|instagram))$/

/** What rows with these names are. */
function madeOf(names: readonly string[]): Made | undefined {
  if (names.includes("names") && names.includes("addresses") && names.includes("categories")) return OVERTURE
  if (names.includes("categories") && (names.includes("fsq_id") || names.includes("fsq_place_id")))
    return FOURSQUARE
  const isOsm = names.some((name) => name.includes(":") && OSM_KEY.test(name))
  return isOsm || (names.includes("@id") && names.includes("@type")) ? OSM : undefined
}

/** A table whose rows of maps are flat and whole; any other as it is. */
export function withPlaces(table: Table): Table {
  if (table.typing === "all" && !table.names) return { ...table, rows: flatRows(table.rows) }
  const { names } = table
  const made = names && madeOf(names)
  if (!made) return table
  const all = [...made.names, ...names]
  async function* rows(): AsyncGenerator<SourceRow[]> {
    for await (const some of table.rows)
      yield some.map((row) => {
        if (row.names !== names || row.problem !== undefined) return row
        const tags = Object.fromEntries(names.map((name, i) => [name, row.values[i]]))
        const remarks = row.remarks?.map((one) => ({ ...one, at: one.at + made!.names.length }))
        const values = [...made!.of(tags), ...row.values]
        return { ...row, names: all, values, ...(remarks && { remarks }) }
      })
  }
  return { ...table, names: all, rows: rows() }
}

async function* flatRows(rows: Table["rows"]): AsyncGenerator<SourceRow[]> {
  let bare = 0
  let last = 1
  // Most rows have the names of the row before.
  let plain: readonly string[] | undefined
  const isPlain = ({ names }: SourceRow) =>
    names.length === plain?.length && names.every((name, i) => name === plain![i])
  for await (const some of rows) {
    if (some.every(isPlain)) {
      yield some
      continue
    }
    plain = some.map(({ names }) => names).find((names) => !names.includes("type") && !madeOf(names))
    yield some.flatMap((row) => {
      if (isPlain(row)) return [row]
      const flat = flatRow(row)
      if (flat) return [flat]
      bare++
      last = row.line
      return []
    })
  }
  if (bare > 0)
    yield [noticeRow(last, `${bare} ${bare === 1 ? "place has" : "places have"} no tags: no leads`)]
}

/** Undefined for a place without any tags, such as the points of a way. */
function flatRow(row: SourceRow): SourceRow | undefined {
  const { names, values } = row
  const tags = tagsOf(names, values)
  if (tags === undefined) return undefined
  const made =
    tags === "plain" ? madeOf(names) : (madeOf(Object.keys(tags)) ?? (isOsmElement(names) ? OSM : undefined))
  if (tags === "plain" && !made) return row
  const ownTags = tags === "plain" ? Object.fromEntries(names.map((name, i) => [name, values[i]])) : tags
  const front = made ? made.of(ownTags) : []
  return {
    ...row,
    names: [...(made?.names ?? []), ...Object.keys(ownTags)],
    values: [...front, ...Object.values(ownTags)],
  }
}

const isOsmElement = (names: readonly string[]) => names.includes("type") && !names.includes("properties")

/** The tags of a feature or an element, with its place and id; undefined where it has none. */
function tagsOf(names: readonly string[], values: readonly unknown[]): Tags | "plain" | undefined {
  const at = (name: string) => values[names.indexOf(name)]
  const type = names.includes("type") ? at("type") : undefined
  if (type === "Feature" && names.includes("properties")) {
    const properties = at("properties")
    if (!isObject(properties) || Object.keys(properties).length === 0) return undefined
    const id = at("id")
    const withId =
      id === undefined || "id" in properties || "@id" in properties ? properties : { id, ...properties }
    return { ...withId, ...placeIn(withId, middleOf(at("geometry"))) }
  }
  if (type !== "node" && type !== "way" && type !== "relation") return "plain"
  if (
    !names.includes("id") ||
    !["lat", "tags", "nodes", "members", "center"].some((name) => names.includes(name))
  )
    return "plain"
  const tags = at("tags")
  if (!isObject(tags) || Object.keys(tags).length === 0) return undefined
  const { lat, lon } = Object.fromEntries(names.map((name, i) => [name, values[i]])) as Tags
  const center = at("center")
  const place = isObject(center)
    ? [center.lon, center.lat]
    : lat === undefined
      ? boundsOf(at("bounds"))
      : [lon, lat]
  return { "@id": at("id"), "@type": type, ...tags, ...placeIn(tags, place) }
}

function placeIn(tags: Tags, place: readonly unknown[] | undefined): Tags {
  if (!place || "latitude" in tags || "lat" in tags) return {}
  return { latitude: place[1], longitude: place[0] }
}

function boundsOf(bounds: unknown): readonly number[] | undefined {
  if (!isObject(bounds)) return undefined
  const { minlat, minlon, maxlat, maxlon } = bounds as Record<string, number>
  return middle([minlon!, maxlon!], [minlat!, maxlat!])
}

/** The middle of a geometry's bounds, as Overpass gives it; a point itself. */
function middleOf(geometry: unknown): readonly number[] | undefined {
  if (!isObject(geometry)) return undefined
  const longitudes: number[] = []
  const latitudes: number[] = []
  const visit = (part: unknown, depth = 0): void => {
    if (!Array.isArray(part) || depth > GEOMETRY_DEPTH) return
    if (typeof part[0] !== "number") {
      for (const inner of part) visit(inner, depth + 1)
      return
    }
    longitudes.push(part[0])
    latitudes.push(part[1] as number)
  }
  visit(geometry.coordinates)
  if (longitudes.length === 1) return [longitudes[0]!, latitudes[0]!]
  return longitudes.length === 0 ? undefined : middle(longitudes, latitudes)
}

function middle(longitudes: readonly number[], latitudes: readonly number[]): readonly number[] {
  const half = (all: readonly number[]) => {
    const least = all.reduce((a, b) => Math.min(a, b))
    const most = all.reduce((a, b) => Math.max(a, b))
    return Math.round(((least + most) / 2) * 1e7) / 1e7
  }
  return [half(longitudes), half(latitudes)]
}
