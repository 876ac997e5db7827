import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { type Box, boxes } from "../../src/lead/geo.ts"
import { haversine } from "../support/model/filter.ts"

const inside = ([south, north, west, east]: Box, latitude: number, longitude: number) =>
  south <= latitude && latitude <= north && west <= longitude && longitude <= east

describe("the boxes around a circle", () => {
  /** Evenly spread, unlike `fc.double`, whose numbers crowd around 0. */
  const spread = (least: number, most: number) =>
    fc.integer({ min: 0, max: 1_000_000 }).map((part) => least + ((most - least) * part) / 1_000_000)
  const degree = (most: number) =>
    fc.oneof(
      spread(-most, most),
      spread(most - 0.5, most),
      spread(-most, 0.5 - most),
      fc.constantFrom(-most, 0, most),
    )
  const radius = fc.oneof(spread(0, 25_000), fc.constantFrom(0, 0.001, 1, 111.2, 10_007, 20_015))
  const bearings = spread(0, 2 * Math.PI)

  test("hold every place within it", () => {
    fc.assert(
      fc.property(
        degree(90),
        degree(180),
        radius,
        degree(90),
        degree(180),
        (lat, lng, km, otherLat, otherLng) => {
          if (haversine(lat, lng, otherLat, otherLng) > km) return
          expect(boxes(lat, lng, km).some((box) => inside(box, otherLat, otherLng))).toBe(true)
        },
      ),
      { numRuns: 2_000 },
    )
  })

  test("hold places close by in every direction, across the pole and the 180th meridian", () => {
    fc.assert(
      fc.property(degree(90), degree(180), spread(0.01, 500), bearings, (lat, lng, km, bearing) => {
        const [otherLat, otherLng] = towards(lat, lng, km * 0.999, bearing)
        expect(boxes(lat, lng, km).some((box) => inside(box, otherLat, otherLng))).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })

  test("lie on the globe and are at most two", () => {
    fc.assert(
      fc.property(degree(90), degree(180), radius, (lat, lng, km) => {
        const all = boxes(lat, lng, km)
        expect([1, 2]).toContain(all.length)
        for (const [south, north, west, east] of all) {
          expect(south).toBeLessThanOrEqual(north)
          expect(west).toBeLessThanOrEqual(east)
          expect(Math.min(south, -90)).toBe(-90)
          expect(Math.max(north, 90)).toBe(90)
          expect([west >= -180, east <= 180]).toEqual([true, true])
        }
      }),
    )
  })

  test("are not much larger than the circle", () => {
    const [[south, north, west, east]] = boxes(52.5, 13.4, 10) as [Box]
    expect(north - south).toBeCloseTo(0.18, 2)
    expect(east - west).toBeCloseTo(0.295, 2)
  })
})

/** The place at a distance and bearing on the sphere. */
function towards(lat: number, lng: number, km: number, bearing: number): [number, number] {
  const radians = Math.PI / 180
  const angle = km / 6371.0088
  const sine =
    Math.sin(lat * radians) * Math.cos(angle) + Math.cos(lat * radians) * Math.sin(angle) * Math.cos(bearing)
  const latitude = Math.asin(Math.max(-1, Math.min(1, sine)))
  const x = Math.cos(angle) - Math.sin(lat * radians) * Math.sin(latitude)
  const y = Math.sin(bearing) * Math.sin(angle) * Math.cos(lat * radians)
  const longitude = lng + Math.atan2(y, x) / radians
  return [latitude / radians, ((longitude + 540) % 360) - 180]
}
