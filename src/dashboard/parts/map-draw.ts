// The land and what lies on it, drawn on a canvas.
import { temperature } from "./bits.tsx"
import { landRings } from "./land.ts"
import type { Camera, Size } from "./map-view.ts"

/** Colours of the picture that is being drawn: resolving one makes the browser work out the canvas's style. */
const colours = new Map<string, string>()

/** Resolves a colour of the theme for a canvas, which knows no `var()` and no `light-dark()`. */
function colour({ canvas }: CanvasRenderingContext2D, name: string): string {
  const known = colours.get(name)
  if (known) return known
  canvas.style.color = `var(${name})`
  const { color } = getComputedStyle(canvas)
  colours.set(name, color)
  return color
}

/** Clears the canvas for a picture of this size and draws the sea and the land. */
export function drawLand(canvas: HTMLCanvasElement, size: Size, camera: Camera): CanvasRenderingContext2D {
  const ratio = devicePixelRatio
  canvas.width = size.width * ratio
  canvas.height = size.height * ratio
  const context = canvas.getContext("2d")!
  colours.clear()
  context.scale(ratio, ratio)
  context.fillStyle = colour(context, "--sea")
  context.fillRect(0, 0, size.width, size.height)
  context.fillStyle = colour(context, "--land")
  context.beginPath()
  for (const ring of landRings()) {
    for (const [i, point] of ring.entries()) {
      const x = (point.x - camera.x) * camera.scale + size.width / 2
      const y = (point.y - camera.y) * camera.scale + size.height / 2
      if (i === 0) context.moveTo(x, y)
      else context.lineTo(x, y)
    }
    context.closePath()
  }
  context.fill()
  return context
}

/** A place on it, of so many pixels from the middle to the edge. */
export function drawDot(
  context: CanvasRenderingContext2D,
  { x, y, score }: { x: number; y: number; score: number },
  radius: number,
): void {
  context.beginPath()
  context.arc(x, y, radius, 0, Math.PI * 2)
  context.globalAlpha = 0.82
  context.fillStyle = colour(context, `--${temperature(score)}-solid`)
  context.fill()
  context.globalAlpha = 1
}
