import { useEffect, useRef, useState } from "preact/hooks"
import { isAbort } from "../core/api.ts"
import { formatNumber, plural } from "../core/format.ts"
import { useLiveLoaded } from "../core/live.ts"
import { fetchGroups } from "../core/numbers.ts"
import { go, href } from "../core/router.ts"
import { t } from "../core/text.ts"
import { Empty, FailureNote, Head } from "../parts/bits.tsx"
import { Icon } from "../parts/icons.tsx"
import { drawDot, drawLand } from "../parts/map-draw.ts"
import {
  boxOf,
  type Camera,
  cellsOf,
  fit,
  type MapPlace,
  moveCamera,
  project,
  type Size,
  stepOf,
  unproject,
  zoomAt,
} from "../parts/map-view.ts"

const KEY_STEP = 60
/** How long the map has to rest before what is in view is asked for. */
const REST_MS = 150
/** Degrees of the cells of the first look, which says where there are leads at all. */
const COARSE = 1

/** Where the leads are: cells in the colour of their mean score; a box that is drawn becomes a filter. */
export default function MapPage() {
  const [places, setPlaces] = useState<readonly MapPlace[]>([])
  /** Leads that have a place at all; undefined until that is known. */
  const [total, setTotal] = useState<number>()
  const [problem, setProblem] = useState<unknown>()
  const [camera, setCamera] = useState<Camera>()
  const [box, setBox] = useState<{ x: number; y: number; toX: number; toY: number }>()
  const [size, setSize] = useState({ width: 800, height: 500 })
  const [hover, setHover] = useState("")
  const canvas = useRef<HTMLCanvasElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  const isPanning = useRef(false)
  const everywhere = useRef<readonly MapPlace[]>([])

  const whole = useLiveLoaded((signal) => cellsIn([], COARSE, signal), [])
  useEffect(() => {
    if (!whole.data) return
    everywhere.current = whole.data.places
    if (!camera) setPlaces(whole.data.places)
    setTotal(whole.data.total)
  }, [whole.data])
  useEffect(() => {
    if (!camera || !total) return
    const stop = new AbortController()
    const rest = setTimeout(() => {
      void cellsIn(inView(), stepOf(camera), stop.signal).then(
        (found) => setPlaces(found.places),
        (thrown) => !isAbort(thrown) && setProblem(thrown),
      )
    }, REST_MS)
    return () => {
      clearTimeout(rest)
      stop.abort()
    }
  }, [camera, size, whole.data])
  useEffect(() => {
    const watch = new ResizeObserver(() => {
      if (!frame.current) return
      const { clientWidth: width, clientHeight: height } = frame.current
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

  const error = problem ?? whole.error
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
      <Head title={t("Map")} note={total ? t("{leads} with a place", { leads: plural(total, "lead") }) : ""}>
        <button type="button" onClick={show}>
          {t("Leads in view")}
        </button>
      </Head>
      {error !== undefined && <FailureNote error={error} />}
      {total === 0 && (
        <Empty icon="map" title={t("No lead has a place yet")}>
          <p>{t("Leads with latitude and longitude are shown here.")}</p>
        </Empty>
      )}
      <div
        class="map card"
        ref={frame}
        hidden={total === 0}
        role="application"
        aria-label={t("Map of leads: arrows move it, plus and minus zoom, Enter lists the leads in view")}
        tabIndex={0}
        onKeyDown={(event) => {
          const steps: Record<string, () => void> = {
            ArrowLeft: () => setCamera(moveCamera(view, KEY_STEP, 0)),
            ArrowRight: () => setCamera(moveCamera(view, -KEY_STEP, 0)),
            ArrowUp: () => setCamera(moveCamera(view, 0, KEY_STEP)),
            ArrowDown: () => setCamera(moveCamera(view, 0, -KEY_STEP)),
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
            if (isPanning.current) setCamera(moveCamera(view, event.movementX, event.movementY))
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
          <button type="button" class="square" aria-label={t("Zoom in")} onClick={() => zoom(1.6)}>
            <Icon name="plus" />
          </button>
          <button type="button" class="square" aria-label={t("Zoom out")} onClick={() => zoom(1 / 1.6)}>
            <span aria-hidden="true">−</span>
          </button>
          <button
            type="button"
            class="square"
            aria-label={t("Show all")}
            onClick={() => setCamera(fit(everywhere.current, size))}
          >
            <Icon name="map" />
          </button>
        </div>
        <p class="map-note" role="status">
          {hover ||
            t(
              "Larger is more leads, the colour is their score. Draw a box to list them; wheel zooms, Shift and drag moves.",
            )}
        </p>
      </div>
    </div>
  )
}

/** Leads in cells of so many degrees, the fullest first where there are more than a thousand. */
async function cellsIn(
  within: readonly string[],
  step: number,
  signal: AbortSignal,
): Promise<{ places: MapPlace[]; total: number }> {
  const { groups, total } = await fetchGroups(
    {
      group_by: "latitude,longitude",
      step,
      metrics: "count,avg:score,avg:latitude,avg:longitude",
      filter: ["and.is_set.location.", ...within],
      limit: 1_000,
    },
    signal,
  )
  const places = groups.map((group) => ({
    ...project(Number(group["avg:latitude"]), Number(group["avg:longitude"])),
    score: Number(group["avg:score"]),
    count: Number(group.count),
  }))
  return { places, total }
}

const round = (degrees: number) => String(Math.round(degrees * 10_000) / 10_000)

function boxFilters(south: number, north: number, west: number, east: number): string[] {
  return [
    `and.between.latitude.${round(south)},${round(north)}`,
    `and.between.longitude.${round(west)},${round(east)}`,
  ]
}

function draw(canvas: HTMLCanvasElement, size: Size, camera: Camera, places: readonly MapPlace[]) {
  const context = drawLand(canvas, size, camera)
  const cells = cellsOf(places, camera, size)
  const most = Math.max(1, ...cells.map(({ count }) => count))
  for (const cell of cells) drawDot(context, cell, 4 + 14 * Math.sqrt(cell.count / most))
}

function said(places: readonly MapPlace[], camera: Camera, size: Size, x: number, y: number): string {
  const near = cellsOf(places, camera, size).find((cell) => Math.hypot(cell.x - x, cell.y - y) < 14)
  if (near)
    return t("{count} here, {score} on average", {
      count: formatNumber(near.count),
      score: Math.round(near.score),
    })
  const { latitude, longitude } = unproject(x, y, camera, size)
  return `${latitude.toFixed(2)}, ${longitude.toFixed(2)}`
}
