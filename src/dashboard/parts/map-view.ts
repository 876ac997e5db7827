// A map's view: Mercator with the world as a square of side 1, and a camera over it.
export interface MapPlace {
  x: number
  y: number
  /** Of its leads, on average. */
  score: number
  /** How many leads are there. */
  count: number
}
export interface Camera {
  /** Center of the view. */
  x: number
  y: number
  /** Pixels that the world is wide. */
  scale: number
}
export interface Size {
  width: number
  height: number
}

const LATITUDE_MOST = 84
const SCALE_MOST = 4_000_000
/** Side of the squares that leads are gathered in, in pixels. */
const CELL = 26

export function project(latitude: number, longitude: number): { x: number; y: number } {
  const clamped = Math.max(-LATITUDE_MOST, Math.min(LATITUDE_MOST, latitude)) * (Math.PI / 180)
  return {
    x: (longitude + 180) / 360,
    y: 0.5 - Math.log(Math.tan(Math.PI / 4 + clamped / 2)) / (2 * Math.PI),
  }
}

export function unproject(px: number, py: number, camera: Camera, size: Size) {
  const x = (px - size.width / 2) / camera.scale + camera.x
  const y = (py - size.height / 2) / camera.scale + camera.y
  const latitude = (2 * Math.atan(Math.exp((0.5 - y) * 2 * Math.PI)) - Math.PI / 2) * (180 / Math.PI)
  return { latitude, longitude: Math.max(-180, Math.min(180, x * 360 - 180)) }
}

/** A camera that shows nearly all of the places: a few far away do not make the others small. */
export function fit(places: readonly MapPlace[], size: Size): Camera {
  const inner = (values: number[]) => {
    const sorted = values.toSorted((a, b) => a - b)
    const cut = Math.floor(sorted.length * 0.01)
    return [sorted[cut] ?? 0, sorted[sorted.length - 1 - cut] ?? 1] as const
  }
  const [west, east] = inner(places.map(({ x }) => x))
  const [north, south] = inner(places.map(({ y }) => y))
  const scale =
    Math.min(size.width / Math.max(0.004, east - west), size.height / Math.max(0.004, south - north)) * 0.86
  return {
    x: (west + east) / 2,
    y: (north + south) / 2,
    scale: Math.max(size.width, Math.min(SCALE_MOST, scale)),
  }
}

export function moveCamera(camera: Camera, dx: number, dy: number): Camera {
  return { ...camera, x: camera.x - dx / camera.scale, y: camera.y - dy / camera.scale }
}

/** Nearer or farther, with what is under the pointer staying there. */
export function zoomAt(camera: Camera, by: number, px: number, py: number, size: Size): Camera {
  const scale = Math.max(size.width * 0.8, Math.min(SCALE_MOST, camera.scale * by))
  const dx = px - size.width / 2
  const dy = py - size.height / 2
  return {
    x: camera.x + dx / camera.scale - dx / scale,
    y: camera.y + dy / camera.scale - dy / scale,
    scale,
  }
}

/** The degrees under a box of pixels. */
export function boxOf(box: { x: number; y: number; toX: number; toY: number }, camera: Camera, size: Size) {
  const a = unproject(Math.min(box.x, box.toX), Math.min(box.y, box.toY), camera, size)
  const b = unproject(Math.max(box.x, box.toX), Math.max(box.y, box.toY), camera, size)
  return { north: a.latitude, west: a.longitude, south: b.latitude, east: b.longitude }
}

/** Degrees that a cell of leads is wide for this view: less than the squares that they are drawn in. */
export function stepOf({ scale }: Camera): number {
  const degrees = ((CELL / scale) * 360) / 1.5
  return 2 ** Math.floor(Math.log2(degrees))
}

/** The places in view, gathered in squares that stay where they are while the map is moved. */
export function cellsOf(places: readonly MapPlace[], camera: Camera, size: Size) {
  const side = CELL / camera.scale
  const cells = new Map<string, { sumX: number; sumY: number; score: number; count: number }>()
  const halfWidth = size.width / 2 / camera.scale + side
  const halfHeight = size.height / 2 / camera.scale + side
  for (const { x, y, score, count } of places) {
    if (Math.abs(x - camera.x) > halfWidth || Math.abs(y - camera.y) > halfHeight) continue
    const key = `${Math.floor(x / side)} ${Math.floor(y / side)}`
    const cell = cells.get(key) ?? { sumX: 0, sumY: 0, score: 0, count: 0 }
    cell.sumX += x * count
    cell.sumY += y * count
    cell.score += score * count
    cell.count += count
    cells.set(key, cell)
  }
  return [...cells.values()].map(({ sumX, sumY, score, count }) => ({
    x: (sumX / count - camera.x) * camera.scale + size.width / 2,
    y: (sumY / count - camera.y) * camera.scale + size.height / 2,
    count,
    score: score / count,
  }))
}
