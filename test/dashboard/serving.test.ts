import { describe, expect, test } from "bun:test"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { openTestAppForReading } from "../support/app.ts"

const service = openTestAppForReading(async () => {})
const origin = () => new URL(service().app.url).origin
const load = (path: string, encoding = "identity") =>
  fetch(origin() + path, { headers: { "Accept-Encoding": encoding }, decompress: false })
const script = async () => (await (await load("/app")).text()).match(/src="([^"]+\.js)"/)![1]!

describe("GET /app", () => {
  test.each(["/app", "/app/leads", "/app/leads/cl_1", "/app/join"])("%s is the page", async (path) => {
    const response = await load(path)
    expect(response.status).toBe(200)
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8")
    expect(await response.text()).toContain('<div id="root"></div>')
  })

  test("allows its own files and nothing else, and no text to become a script", async () => {
    const { headers } = await load("/app")
    const policy = headers.get("content-security-policy")!
    expect(policy).toStartWith("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';")
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types 'none'")
    expect(policy).not.toMatch(/unsafe|\*|https?:/)
    expect(headers.get("x-frame-options")).toBe("DENY")
  })

  test("has nothing inline, and asks for nothing from elsewhere", async () => {
    const html = await (await load("/app")).text()
    expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|<script>/)
    expect([...html.matchAll(/(?:src|href)="(?!\/|data:)/g)]).toEqual([])
  })
})

describe("its files", () => {
  test("may be kept for ever, under names that change with them", async () => {
    const { headers, status } = await load(await script())
    expect([status, headers.get("content-type")]).toEqual([200, "text/javascript; charset=utf-8"])
    expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable")
  })

  test("are the same by brotli, by gzip and as they are", async () => {
    const path = await script()
    const plain = await (await load(path)).bytes()
    const br = await load(path, "gzip, br")
    const gzip = await load(path, "gzip")
    expect([br, gzip].map(({ headers }) => headers.get("content-encoding"))).toEqual(["br", "gzip"])
    expect(Buffer.compare(brotliDecompressSync(await br.bytes()), plain)).toBe(0)
    expect(Buffer.compare(gunzipSync(await gzip.bytes()), plain)).toBe(0)
  })

  test.each(["/app/assets/nothing.js", "/app/assets/..%2f..%2fpackage.json"])("%s is none", async (path) => {
    expect((await load(path)).status).toBe(404)
  })

  test("are at most 40 KB for the first page", async () => {
    const html = await (await load("/app")).text()
    const seen = new Set<string>()
    let bytes = 0
    async function add(path: string): Promise<void> {
      if (seen.has(path)) return
      seen.add(path)
      bytes += (await (await load(path, "gzip")).bytes()).length
      const text = await (await load(path)).text()
      for (const [, name] of text.matchAll(/from\s*"\.\/([\w.-]+\.js)"|import\s*"\.\/([\w.-]+\.js)"/g)) {
        if (name) await add(`/app/assets/${name}`)
      }
    }
    for (const [, path] of html.matchAll(/(?:src|href)="(\/app\/assets\/[^"]+)"/g)) await add(path!)
    expect(bytes).toBeGreaterThan(5_000)
    expect(bytes).toBeLessThan(41_000)
  })

  test("are at most 150 KB in all", async () => {
    const html = await (await load("/app")).text()
    const found = new Set(
      [...html.matchAll(/(?:src|href)="(\/app\/assets\/[^"]+)"/g)].map(([, path]) => path!),
    )
    let bytes = 0
    // What is added meanwhile is gone through, too.
    for (const path of found) {
      bytes += (await (await load(path, "gzip")).bytes()).length
      const text = await (await load(path)).text()
      for (const [, name] of text.matchAll(/"\.\/([\w.-]+\.js)"/g)) found.add(`/app/assets/${name}`)
    }
    expect(found.size).toBeGreaterThan(20)
    expect(bytes).toBeLessThan(150_000)
  })
})
