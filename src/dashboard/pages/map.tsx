import { useEffect, useRef, useState } from "preact/hooks"
import { get, isAbort } from "../core/api.ts"
import { number, plural } from "../core/format.ts"
import { go, href } from "../core/router.ts"
import type { LeadPage } from "../core/types.ts"
import { Empty, Failure, Head } from "../parts/bits.tsx"
import { Icon } from "../parts/icons.tsx"
import { drawDot, drawLand } from "../parts/map-draw.ts"
import {
  boxOf,
  type Camera,
  cellsOf,
  fit,
  move,
  type Place,
  project,
  type Size,
  unproject,
  zoomAt,
} from "../parts/map-view.ts"

const PAGES_MOST = 20
const PAGE = 1_000
const KEY_STEP = 60

interface Loaded {
  places: Place[]
  hasMore: boolean
  /** All that have a place, in the part of the world that was asked for. */
  total: number | undefined
}

/** Where the leads are: cells in the colour of their mean score; a box that is drawn becomes a filter. */
export default function MapPage() {
  const [{ places, hasMore, total }, setLoaded] = useState<Loaded>(NOTHING)
  /** The part of the world that is read; all of it unless told. */
  const [within, setWithin] = useState<readonly string[]>([])
  const [error, setError] = useState<unknown>()
  const [isDone, setDone] = useState(false)
  const [camera, setCamera] = useState<Camera>()
  const [box, setBox] = useState<{ x: number; y: number; toX: number; toY: number }>()
  const [size, setSize] = useState({ width: 800, height: 500 })
  const [hover, setHover] = useState("")
  const canvas = useRef<HTMLCanvasElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  const isPanning = useRef(false)

  useEffect(() => {
    const stop = new AbortController()
    setDone(false)
    void readPlaces(within, stop.signal, setLoaded).then(
      () => setDone(true),
      (problem) => !isAbort(problem) && setError(problem),
    )
    return () => stop.abort()
  }, [within])
  useEffect(() => {
    const watch = new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = frame.current!
      setSize({ width, height })
    })
    watch.observe(frame.current!)
    return () => watch.disconnect()
  }, [])
  useEffect(() => {
    if (!camera && places.length > 0) setCamera(fit(places, size))
  }, [places.length === 0, size.width])
  const view = camera ?? { x: 0.5, y: 0.35, scale: size.width }
  useEffect(() => draw(canvas.current!, size, view, places), [size, view, places])

  const inView = () => {
    const { south, north, west, east } = boxOf({ x: 0, y: 0, toX: size.width, toY: size.height }, view, size)
    return boxFilters(south, north, west, east)
  }
  const show = () => go(href("leads", { filter: inView() }))
  function finish() {
    if (box && Math.abs(box.toX - box.x) > 8 && Math.abs(box.toY - box.y) > 8) {
      const { south, north, west, east } = boxOf(box, view, size)
      go(href("leads", { filter: boxFilters(south, north, west, east) }))
    }
    setBox(undefined)
    isPanning.current = false
  }
  const zoom = (by: number) => setCamera(zoomAt(view, by, size.width / 2, size.height / 2, size))
  return (
    <div class="page map-page">
      <Head title="Map" note={noteOf({ places, hasMore, total }, isDone, within.length > 0)}>
        {isDone && hasMore && (
          <button type="button" onClick={() => setWithin(inView())}>
            Read what is in view
          </button>
        )}
        {within.length > 0 && (
          <button type="button" onClick={() => setWithin([])}>
            Everywhere
          </button>
        )}
        <button type="button" onClick={show}>
          Leads in view
        </button>
      </Head>
      {error !== undefined && <Failure error={error} />}
      {isDone && places.length === 0 && within.length === 0 && (
        <Empty icon="map" title="No lead has a place yet">
          <p>Leads with latitude and longitude are shown here.</p>
        </Empty>
      )}
      <div
        class="map card"
        ref={frame}
        hidden={isDone && places.length === 0 && within.length === 0}
        role="application"
        aria-label="Map of leads: arrows move it, plus and minus zoom, Enter lists the leads in view"
        tabIndex={0}
        onKeyDown={(event) => {
          const steps: Record<string, () => void> = {
            ArrowLeft: () => setCamera(move(view, KEY_STEP, 0)),
            ArrowRight: () => setCamera(move(view, -KEY_STEP, 0)),
            ArrowUp: () => setCamera(move(view, 0, KEY_STEP)),
            ArrowDown: () => setCamera(move(view, 0, -KEY_STEP)),
            "+": () => zoom(1.5),
            "=": () => zoom(1.5),
            "-": () => zoom(1 / 1.5),
            Enter: show,
          }
          const run = event.target === event.currentTarget ? steps[event.key] : undefined
          if (!run) return
          event.preventDefault()
          run()
        }}
      >
        <canvas
          ref={canvas}
          onWheel={(event) => {
            event.preventDefault()
            const at = event.currentTarget.getBoundingClientRect()
            setCamera(
              zoomAt(
                view,
                event.deltaY < 0 ? 1.2 : 1 / 1.2,
                event.clientX - at.left,
                event.clientY - at.top,
                size,
              ),
            )
          }}
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId)
            isPanning.current = event.shiftKey || event.pointerType === "touch"
            const { offsetX: x, offsetY: y } = event
            if (!isPanning.current) setBox({ x, y, toX: x, toY: y })
          }}
          onPointerMove={(event) => {
            if (isPanning.current) setCamera(move(view, event.movementX, event.movementY))
            else if (box) setBox({ ...box, toX: event.offsetX, toY: event.offsetY })
            else setHover(said(places, view, size, event.offsetX, event.offsetY))
          }}
          onPointerUp={finish}
          onPointerCancel={finish}
        />
        {box && (
          <div
            class="map-box"
            style={{
              left: `${Math.min(box.x, box.toX)}px`,
              top: `${Math.min(box.y, box.toY)}px`,
              width: `${Math.abs(box.toX - box.x)}px`,
              height: `${Math.abs(box.toY - box.y)}px`,
            }}
          />
        )}
        <div class="map-buttons">
          <button type="button" class="square" aria-label="Zoom in" onClick={() => zoom(1.6)}>
            <Icon name="plus" />
          </button>
          <button type="button" class="square" aria-label="Zoom out" onClick={() => zoom(1 / 1.6)}>
            <span aria-hidden="true">−</span>
          </button>
          <button
            type="button"
            class="square"
            aria-label="Show all"
            onClick={() => setCamera(fit(places, size))}
          >
            <Icon name="map" />
          </button>
        </div>
        <p class="map-note" role="status">
          {hover || "Draw a box to list its leads. Wheel zooms, Shift and drag moves."}
        </p>
      </div>
    </div>
  )
}

const NOTHING: Loaded = { places: [], hasMore: true, total: undefined }

/** Says plainly what is seen: not every lead, where there are many. */
function noteOf({ places, hasMore, total }: Loaded, isDone: boolean, isPart: boolean): string {
  if (places.length === 0) return ""
  const where = isPart ? "here" : "with a place"
  if (!hasMore) return `${plural(places.length, "lead")} ${where}`
  const all = total === undefined ? "the leads" : plural(total, "lead")
  return isDone
    ? `the ${number(places.length)} best scores of ${all} ${where}: zoom in to read the others`
    : `${number(places.length)} of ${all} ${where} so far`
}

async function readPlaces(
  within: readonly string[],
  signal: AbortSignal,
  tell: (loaded: Loaded) => void,
): Promise<void> {
  const places: Place[] = []
  let cursor: string | undefined
  let total: number | undefined
  for (let page = 0; page < PAGES_MOST; page++) {
    const answer = await get<LeadPage>(
      "/leads",
      {
        filter: ["and.is_set.location.", ...within],
        sort_by: "score",
        sort_order: "DESC",
        limit: PAGE,
        cursor,
        fields: "latitude,longitude,score",
        ...(page === 0 && { total: true }),
      },
      signal,
    )
    for (const { latitude, longitude, score } of answer.leads) {
      if (latitude !== null && longitude !== null) places.push({ ...project(latitude, longitude), score })
    }
    total ??= answer.total
    tell({ places: [...places], hasMore: answer.has_more, total })
    if (!answer.has_more || !answer.next_cursor) return
    cursor = answer.next_cursor
  }
}

const round = (degrees: number) => String(Math.round(degrees * 10_000) / 10_000)

function boxFilters(south: number, north: number, west: number, east: number): string[] {
  return [
    `and.between.latitude.${round(south)},${round(north)}`,
    `and.between.longitude.${round(west)},${round(east)}`,
  ]
}

function draw(canvas: HTMLCanvasElement, size: Size, camera: Camera, places: readonly Place[]) {
  const context = drawLand(canvas, size, camera)
  const cells = cellsOf(places, camera, size)
  const most = Math.max(1, ...cells.map(({ count }) => count))
  for (const cell of cells) drawDot(context, cell, 4 + 14 * Math.sqrt(cell.count / most))
}

function said(places: readonly Place[], camera: Camera, size: Size, x: number, y: number): string {
  const near = cellsOf(places, camera, size).find((cell) => Math.hypot(cell.x - x, cell.y - y) < 14)
  if (near) return `${number(near.count)} here, ${Math.round(near.score)} on average`
  const { latitude, longitude } = unproject(x, y, camera, size)
  return `${latitude.toFixed(2)}, ${longitude.toFixed(2)}`
}
