// Letting people and programs in.
import { expect } from "bun:test"
import jsQR from "jsqr"
import { networkOrigins } from "../../src/core/network.ts"
import { openTestApp } from "../support/app.ts"
import { browserTest, openPage } from "../support/browser.ts"
import { dashboardUrl, openDashboard, signIn } from "./support.ts"

/** The pixels of a picture, on a page that allows it to be drawn. */
async function drawn(svg: string): Promise<{ pixels: Uint8ClampedArray; size: number }> {
  await using browser = await openPage()
  const size = 400
  const sized = svg.replace(
    "<svg",
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}"`,
  )
  const pixels = await browser.page.evaluate(
    async ([url, size]) => {
      const image = new Image()
      image.src = url
      await image.decode()
      const canvas = new OffscreenCanvas(size, size).getContext("2d")!
      canvas.drawImage(image, 0, 0)
      return [...canvas.getImageData(0, 0, size, size).data]
    },
    [`data:image/svg+xml,${encodeURIComponent(sized)}`, size] as const,
  )
  return { pixels: new Uint8ClampedArray(pixels), size }
}

browserTest("an invitation says when its link works on this machine only", async () => {
  await using dashboard = await openDashboard(async () => {}, { path: "/team" })
  const { page } = dashboard
  await dashboard.see("Only this machine reaches the service.")
  await page.getByRole("button", { name: "Invite" }).click()
  await page.getByLabel("Name").fill("Mia")
  await page.getByRole("button", { name: "Make the link" }).click()
  await page.getByRole("alert").getByText("leaddb serve --lan").waitFor()
})

browserTest("an address for others is shown as a code that phones read", async () => {
  const { app, config, key, call, as } = await openTestApp({ host: "0.0.0.0" })
  const [origin] = networkOrigins("0.0.0.0", Number(new URL(app.url).port))
  // A machine without a network has no address to show.
  if (origin === undefined) return
  const service = { url: app.url, file: config.file, key, call, as }
  await using browser = await openPage()
  await signIn(browser.page, service)
  await browser.page.goto(dashboardUrl(service, "/team"))
  const code = browser.page.getByRole("img", { name: `QR code of ${origin}/app` })
  await code.waitFor()
  const { pixels, size } = await drawn(await code.evaluate((svg) => svg.outerHTML))
  expect(jsQR(pixels, size, size)?.data).toBe(`${origin}/app`)
})

browserTest("Connect makes a key and fills it into every snippet", async () => {
  await using dashboard = await openDashboard(async () => {}, { path: "/connect" })
  const { page, service } = dashboard
  await page.getByRole("button", { name: "Create a key and fill it in" }).click()
  await dashboard.see("The key is filled in below.")
  const snippets = await page.locator(".snippet").allInnerTexts()
  expect(snippets.length).toBeGreaterThan(5)
  const [key] = snippets[0]!.match(/ldb_\w{38}/) ?? []
  expect(snippets.filter((text) => !text.includes(key ?? "no key"))).toEqual([])
  expect((await service.as(key!)("GET", "/leads")).status).toBe(200)
})
