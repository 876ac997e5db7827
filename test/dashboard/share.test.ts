// Letting people and programs in.
import { expect } from "bun:test"
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import jsQR from "jsqr"
import { fromBuffer } from "yauzl"
import { networkOrigins } from "../../src/runtime/network.ts"
import { openTestApp } from "../support/app.ts"
import { browserTest, openPage } from "../support/browser.ts"
import { temporaryFolder } from "../support/folder.ts"
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
  await page.getByRole("dialog").getByLabel("Name").fill("Mia")
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

/** Writes the files of a ZIP archive into a folder. */
async function unpack(archive: Buffer, folder: string): Promise<void> {
  const zip = await new Promise<import("yauzl").ZipFile>((resolve, reject) =>
    fromBuffer(archive, { lazyEntries: true, validateEntrySizes: true }, (error, zip) =>
      error ? reject(error) : resolve(zip),
    ),
  )
  await new Promise<void>((resolve, reject) => {
    zip.on("error", reject)
    zip.on("end", resolve)
    zip.on("entry", (entry: import("yauzl").Entry) => {
      zip.openReadStream(entry, async (error, stream) => {
        if (error) return reject(error)
        const to = join(folder, entry.fileName)
        mkdirSync(dirname(to), { recursive: true })
        writeFileSync(to, Buffer.concat(await stream.toArray()))
        zip.readEntry()
      })
    })
    zip.readEntry()
  })
}

browserTest("Connect gives desktop clients a bundle that works with the key in it", async () => {
  const { app, config, key, call, as } = await openTestApp()
  const service = { url: app.url, file: config.file, key, call, as }
  await call("POST", "/leads", { name: "Ada", source: "test" })
  await using browser = await openPage()
  const { page } = browser
  await signIn(page, service)
  await page.goto(dashboardUrl(service, "/connect"))
  await page.getByRole("button", { name: "Create a key and fill it in" }).click()
  await page.getByText("It contains the key").waitFor()
  await page.getByLabel("Data folder").fill("/srv/leads")
  await page.locator(".snippet").getByText('"LEADDB_DATA": "/srv/leads"').waitFor()
  const download = page.waitForEvent("download")
  await page.getByRole("button", { name: "Download the bundle" }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe("leaddb.mcpb")
  const folder = temporaryFolder()
  await unpack(Buffer.from(await Bun.file((await file.path())!).bytes()), folder)
  const manifest = await Bun.file(join(folder, "manifest.json")).json()
  const { env } = manifest.server.mcp_config
  const filled = (text: string) =>
    text
      .replace(/\$\{__dirname\}/, folder)
      .replace(/\$\{user_config\.(\w+)\}/, (_, name: string) => manifest.user_config[name].default)
  const client = new Client({ name: "desktop", version: "1" })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: manifest.server.mcp_config.args.map(filled),
      env: Object.fromEntries(Object.entries<string>(env).map(([name, text]) => [name, filled(text)])),
    }),
  )
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toContain("list_leads")
  const answer = await client.callTool({ name: "list_leads", arguments: {} })
  expect(JSON.stringify(answer)).toContain("Ada")
  await client.close()
})
