/** The mean radius of the earth in kilometres, rounded as most haversine implementations have it. */
export const EARTH_RADIUS_KM = 6371

/** South, north, west, east in degrees. */
export type Box = readonly [number, number, number, number]

/**
 * The boxes in which every point within `kilometres` of a place lies: two where the circle crosses the 180th
 * meridian, the whole breadth where it holds a pole.
 */
export function boxes(latitude: number, longitude: number, kilometres: number): Box[] {
  const angle = kilometres / EARTH_RADIUS_KM
  const degrees = (angle * 180) / Math.PI
  // A little more than needed, since the index keeps 32-bit floats.
  const south = latitude - degrees - 1e-4
  const north = latitude + degrees + 1e-4
  if (south <= -90 || north >= 90) return [[Math.max(south, -90), Math.min(north, 90), -180, 180]]
  const sine = Math.sin(angle) / Math.cos((latitude * Math.PI) / 180)
  if (sine >= 1) return [[south, north, -180, 180]]
  const breadth = (Math.asin(sine) * 180) / Math.PI + 1e-4
  const west = longitude - breadth
  const east = longitude + breadth
  if (breadth >= 180) return [[south, north, -180, 180]]
  if (west < -180)
    return [
      [south, north, -180, east],
      [south, north, west + 360, 180],
    ]
  if (east > 180)
    return [
      [south, north, west, 180],
      [south, north, -180, east - 360],
    ]
  return [[south, north, west, east]]
}
