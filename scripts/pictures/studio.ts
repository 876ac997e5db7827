// Puts screenshots under captions, with a pointer over them, and keeps of each frame what differs from the one before.
import type { Browser, Page } from "playwright-core"
import type { Theme } from "./theme.ts"
import { type Frame, movingWebp } from "./webp.ts"

export const SCREEN = { width: 1_060, height: 660 } as const
const CAPTION_HEIGHT = 56
/** Frames of the pointer on its way, and how long each is seen. */
const STEPS = 6
const STEP_MS = 50

interface Point {
  x: number
  y: number
}

/** What the page of the studio draws. */
interface Drawing {
  /** A PNG in base64; the one before when left out. */
  screen?: string
  caption: string
  pointer: Point | null
  isPressed: boolean
}

interface Changed {
  still: string
  x: number
  y: number
  width: number
  height: number
}

interface Studio {
  /** Shows a screen below a caption. */
  show(screen: Uint8Array, caption: string, ms: number): Promise<void>
  /** Moves the pointer there and presses it. */
  press(at: Point): Promise<void>
  /** The picture, whose first frame follows the last again. */
  finish(): Promise<Uint8Array>
}

export async function openStudio(browser: Browser, theme: Theme): Promise<Studio> {
  const height = SCREEN.height + CAPTION_HEIGHT
  const page = await browser.newPage({ colorScheme: theme })
  await page.evaluate(prepare, { width: SCREEN.width, height, top: CAPTION_HEIGHT, isDark: theme === "dark" })
  const frames: Frame[] = []
  let last: Drawing = { caption: "", pointer: null, isPressed: false }

  async function add(drawing: Drawing, ms: number): Promise<void> {
    const { screen: _, ...kept } = drawing
    last = kept
    const changed = await draw(page, drawing)
    const before = frames.at(-1)
    if (changed) frames.push({ ...changed, still: Buffer.from(changed.still, "base64"), ms })
    else if (before) before.ms += ms
  }

  return {
    show: (screen, caption, ms) =>
      add({ ...last, screen: Buffer.from(screen).toString("base64"), caption, isPressed: false }, ms),
    async press(at) {
      const from = last.pointer ?? { x: SCREEN.width * 0.6, y: SCREEN.height * 0.9 }
      for (let step = 1; step <= STEPS; step++) {
        const part = 1 - (1 - step / STEPS) ** 2
        const pointer = { x: from.x + (at.x - from.x) * part, y: from.y + (at.y - from.y) * part }
        await add({ ...last, pointer, isPressed: false }, STEP_MS)
      }
      await add({ ...last, isPressed: true }, STEP_MS * 4)
    },
    async finish() {
      await page.close()
      return movingWebp(SCREEN.width, height, frames)
    },
  }
}

function draw(page: Page, drawing: Drawing): Promise<Changed | null> {
  return page.evaluate(
    (drawing) => (globalThis as unknown as { draw(drawing: Drawing): Promise<Changed | null> }).draw(drawing),
    drawing,
  )
}

/** Runs in the page. */
function prepare({
  width,
  height,
  top,
  isDark,
}: {
  width: number
  height: number
  top: number
  isDark: boolean
}) {
  const canvas = Object.assign(document.createElement("canvas"), { width, height })
  const context = canvas.getContext("2d", { alpha: false, willReadFrequently: true })!
  let screen: ImageBitmap | undefined
  let before: Uint32Array | undefined

  function drawPointer({ x, y }: Point, isPressed: boolean): void {
    context.save()
    context.translate(x, y + top)
    if (isPressed) {
      context.beginPath()
      context.arc(0, 0, 17, 0, 2 * Math.PI)
      context.fillStyle = isDark ? "#7ca9ff66" : "#1d5bd055"
      context.fill()
    }
    const arrow = new Path2D("M0 0 L0 18 L4.3 14.2 L7 20.4 L9.9 19.2 L7.2 13.1 L13 13 Z")
    context.fillStyle = "#111"
    context.strokeStyle = "#fff"
    context.lineWidth = 1.6
    context.fill(arrow)
    context.stroke(arrow)
    context.restore()
  }

  /** The smallest rectangle with all pixels that differ, from even offsets on; null without one. */
  function changed(): { x: number; y: number; width: number; height: number } | null {
    const now = new Uint32Array(context.getImageData(0, 0, width, height).data.buffer)
    const old = before
    before = now
    if (!old) return { x: 0, y: 0, width, height }
    let [left, right, first, end] = [width, -1, height, -1]
    for (let i = 0; i < now.length; i++) {
      if (now[i] === old[i]) continue
      const x = i % width
      const y = (i - x) / width
      left = Math.min(left, x)
      right = Math.max(right, x)
      first = Math.min(first, y)
      end = y
    }
    if (right < 0) return null
    const [x, y] = [left - (left % 2), first - (first % 2)]
    return { x, y, width: right + 1 - x, height: end + 1 - y }
  }

  async function draw({ screen: png, caption, pointer, isPressed }: Drawing): Promise<Changed | null> {
    if (png) screen = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob())
    context.fillStyle = isDark ? "#0b1528" : "#17489f"
    context.fillRect(0, 0, width, top)
    context.fillStyle = "#fff"
    context.font = "600 22px system-ui, sans-serif"
    context.textAlign = "center"
    context.textBaseline = "middle"
    context.fillText(caption, width / 2, top / 2)
    if (screen) context.drawImage(screen, 0, top)
    if (pointer) drawPointer(pointer, isPressed)
    const part = changed()
    if (!part) return null
    const cut = new OffscreenCanvas(part.width, part.height)
    cut.getContext("2d", { alpha: false })!.drawImage(canvas, -part.x, -part.y)
    // The best quality is the one without loss.
    const blob = await cut.convertToBlob({ type: "image/webp", quality: 1 })
    const bytes = new Uint8Array(await blob.arrayBuffer())
    let text = ""
    for (const byte of bytes) text += String.fromCharCode(byte)
    return { ...part, still: btoa(text) }
  }
  Object.assign(globalThis, { draw })
}
