// Places within a circle: the great-circle distance by the haversine formula.
import { type Box, boxes, EARTH_RADIUS_KM } from "../lead/geo.ts"
import type { FilterDialect } from "./dialect.ts"
import { joined, type Sql, sql, wrapped } from "./fragment.ts"
import type { Condition } from "./lead-query.ts"
import type { SeenLead } from "./seen-lead.ts"

export type Circle = Extract<Condition, { on: "location"; operator: "within" }>

interface Point {
  latitude: number
  longitude: number
}

const radians = (degrees: number) => degrees * (Math.PI / 180)

function kilometresBetween(a: Point, b: Point): number {
  const across = Math.sin(radians(b.latitude - a.latitude) / 2) ** 2
  const along = Math.sin(radians(b.longitude - a.longitude) / 2) ** 2
  const root = Math.sqrt(across + Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * along)
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, root))
}

export function isWithin(circle: Circle): (lead: SeenLead) => boolean {
  const near = boxes(circle.latitude, circle.longitude, circle.kilometres)
  return ({ data: { latitude, longitude } }) =>
    latitude !== null &&
    longitude !== null &&
    near.some(
      ([south, north, west, east]) =>
        latitude >= south && latitude <= north && longitude >= west && longitude <= east,
    ) &&
    kilometresBetween(circle, { latitude, longitude }) <= circle.kilometres
}

/** Boxes first: an index may have them, and a comparison costs a tenth of a distance. */
export function withinSql(dialect: FilterDialect, circle: Circle): Sql {
  const inBox = ([south, north, west, east]: Box) =>
    sql("(l.latitude BETWEEN ? AND ? AND l.longitude BETWEEN ? AND ?)", south, north, west, east)
  const near = boxes(circle.latitude, circle.longitude, circle.kilometres).map(inBox)
  return joined([wrapped("(", joined(near, " OR "), ")"), distanceSql(dialect, circle)], " AND ")
}

function distanceSql({ degrees, least }: FilterDialect, circle: Circle): Sql {
  const { bound, of, column } = degrees
  const [latitude, longitude] = [column("l.latitude"), column("l.longitude")]
  const root =
    `power(sin(radians(${latitude} - ${bound}) / 2), 2) + ` +
    `cos(radians(${bound})) * cos(radians(${latitude})) * power(sin(radians(${longitude} - ${bound}) / 2), 2)`
  const [lat, lon] = [of(circle.latitude), of(circle.longitude)]
  return sql(
    `${2 * EARTH_RADIUS_KM} * asin(${least("1", `sqrt(${root})`)}) <= ${bound}`,
    lat,
    lat,
    lon,
    circle.kilometres,
  )
}
