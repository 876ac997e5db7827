// The outline of the land, from Natural Earth (public domain), as the world-atlas package has it in TopoJSON.
import world from "world-atlas/land-110m.json"
import { project } from "./map-view.ts"

type Point = { x: number; y: number }
interface Topology {
  transform: { scale: number[]; translate: number[] }
  arcs: number[][][]
  objects: { land: { geometries: { arcs: number[][][] }[] } }
}

let made: Point[][] | undefined

/** Rings of the land, on the square of side 1. */
export function landRings(): readonly Point[][] {
  made ??= read(world as unknown as Topology)
  return made
}

function read({ transform, arcs, objects }: Topology): Point[][] {
  const [scaleX = 1, scaleY = 1] = transform.scale
  const [fromX = 0, fromY = 0] = transform.translate
  const lines = arcs.map((arc) => {
    let x = 0
    let y = 0
    return arc.map(([dx = 0, dy = 0]) => {
      x += dx
      y += dy
      return project(y * scaleY + fromY, x * scaleX + fromX)
    })
  })
  // An arc is shared by neighbours: a negative number is one that is walked backwards.
  const line = (index: number) => (index < 0 ? lines[~index]!.toReversed() : lines[index]!)
  return objects.land.geometries.flatMap(({ arcs: polygons }) =>
    polygons.flatMap((rings) => rings.flatMap((ring) => wrapped(ring.flatMap(line)))),
  )
}

/** A ring across the date line goes on beyond the edge instead of back over the whole world, and comes in again there. */
function wrapped(ring: readonly Point[]): Point[][] {
  let shift = 0
  let before = ring[0]?.x ?? 0
  const whole = ring.map(({ x, y }) => {
    if (x - before > 0.5) shift--
    else if (before - x > 0.5) shift++
    before = x
    return { x: x + shift, y }
  })
  const xs = whole.map(({ x }) => x)
  const over = Math.max(...xs) > 1 ? -1 : Math.min(...xs) < 0 ? 1 : 0
  return over === 0 ? [whole] : [whole, whole.map(({ x, y }) => ({ x: x + over, y }))]
}
