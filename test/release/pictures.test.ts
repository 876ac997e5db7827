// The README's pictures as readers get them: small, short, and each in both themes.
import { describe, expect, test } from "bun:test"
import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { aboutWebp, type Frame, movingWebp } from "../../scripts/pictures/webp.ts"
import { browserTest, openPage } from "../support/browser.ts"

const ROOT = join(import.meta.dir, "../..")
const README = readFileSync(join(ROOT, "README.md"), "utf8")
const PICTURES = [...README.matchAll(/docs\/images\/[\w-]+\.\w+/g)].map(([path]) => path)

describe("the README's pictures", () => {
  test("are there in a light and a dark theme", () => {
    const inTheme = (theme: string) =>
      PICTURES.filter((path) => path.includes(theme)).map((path) => path.replace(theme, ""))
    expect(inTheme("dark").length).toBeGreaterThan(3)
    expect(new Set(inTheme("light"))).toEqual(new Set(inTheme("dark")))
  })

  test.each(PICTURES.filter((path) => path.endsWith(".webp")))(
    "%s moves for 15 s at most, in 2 MB",
    (path) => {
      const file = readFileSync(join(ROOT, path))
      const { ms, width, height, frames } = aboutWebp(file)
      expect(ms).toBeLessThanOrEqual(15_000)
      expect(frames).toBeGreaterThan(5)
      expect([width > 800, height > 500]).toEqual([true, true])
      expect(file.length).toBeLessThanOrEqual(2e6)
    },
  )

  test("are at most 300 KB where they do not move", () => {
    for (const path of PICTURES.filter((path) => path.endsWith(".png")))
      expect([path, statSync(join(ROOT, path)).size <= 300_000]).toEqual([path, true])
  })
})

const ORIGIN = "https://pictures.example/"

browserTest("frames are shown over each other, for as long as they say", async () => {
  await using browser = await openPage()
  const { page } = browser
  // Browsers decode pictures for pages of secure origins alone.
  await page.route(ORIGIN, (route) => route.fulfill({ contentType: "text/html", body: "" }))
  await page.goto(ORIGIN)
  const stills = await page.evaluate(paintSquares)
  const [whole, part] = stills.map((text) => new Uint8Array(Buffer.from(text, "base64")))
  const frames: Frame[] = [
    { still: whole!, x: 0, y: 0, width: 20, height: 10, ms: 300 },
    { still: part!, x: 4, y: 2, width: 5, height: 3, ms: 500 },
  ]
  const moving = movingWebp(20, 10, frames)
  expect(aboutWebp(moving)).toEqual({ ms: 800, width: 20, height: 10, frames: 2 })
  expect(await page.evaluate(readPixels, Buffer.from(moving).toString("base64"))).toEqual([
    { ms: 300, size: "20x10", corner: "255,0,0", inside: "255,0,0" },
    { ms: 500, size: "20x10", corner: "255,0,0", inside: "0,0,255" },
  ])
})

/** In the page: a red picture and a smaller blue one, as WebP in base64. */
async function paintSquares(): Promise<string[]> {
  const paint = async (width: number, height: number, colour: string) => {
    const canvas = new OffscreenCanvas(width, height)
    const context = canvas.getContext("2d")!
    context.fillStyle = colour
    context.fillRect(0, 0, width, height)
    const blob = await canvas.convertToBlob({ type: "image/webp", quality: 1 })
    return btoa(String.fromCharCode(...new Uint8Array(await blob.arrayBuffer())))
  }
  return [await paint(20, 10, "#f00"), await paint(5, 3, "#00f")]
}

/** In the page: what its decoder makes of the frames. */
async function readPixels(base64: string) {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  const decoder = new ImageDecoder({ data: bytes, type: "image/webp" })
  await decoder.tracks.ready
  const seen = []
  for (let frameIndex = 0; frameIndex < decoder.tracks.selectedTrack!.frameCount; frameIndex++) {
    const { image } = await decoder.decode({ frameIndex })
    const canvas = new OffscreenCanvas(image.displayWidth, image.displayHeight)
    const context = canvas.getContext("2d")!
    context.drawImage(image, 0, 0)
    const at = (x: number, y: number) => [...context.getImageData(x, y, 1, 1).data.slice(0, 3)].join()
    const size = `${image.displayWidth}x${image.displayHeight}`
    seen.push({ ms: image.duration! / 1_000, size, corner: at(0, 0), inside: at(5, 3) })
    image.close()
  }
  return seen
}
