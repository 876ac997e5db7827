// The dashboard at /app: one page, and its files under names that change with what is in them.
import { promisify } from "node:util"
import { brotliDecompress, gzip } from "node:zlib"
import type { Hono } from "hono"
import { memoize } from "../../runtime/memoize.ts"
import { fixedText } from "../http/fixed-text.ts"
import { languageOf } from "../http/request.ts"
import type { RestEnv } from "../ops/observer.ts"
import type { Asset } from "./make-bundle.ts"

const brotliDecompressed = promisify(brotliDecompress)
const compressed = promisify(gzip)

// Few ask for anything but brotli: it is made then, and kept.
const unpacked = memoize(async ({ packed }: Asset) => new Uint8Array(await brotliDecompressed(packed)))
const gzipped = memoize(async (file: Asset) => new Uint8Array(await compressed(await unpacked(file))))

/** The page at `/app`. */
const HOME = "overview"

/** Its own files and its own origin, nothing inline, and no text that becomes a script. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "frame-src 'self'",
  "manifest-src 'none'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ")

const PAGE_HEADERS = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": POLICY,
  "Cross-Origin-Opener-Policy": "same-origin",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  // Without Sec-Fetch-Site, as on plain HTTP, it is what shows that a request is the dashboard's own.
  "Referrer-Policy": "same-origin",
}

/**
 * Adds the dashboard. Its files are made or read when the first page is asked for. `issuer` is the provider that people
 * sign in with, of which the page tells.
 */
export function mountDashboard(app: Hono<RestEnv>, issuer: string | undefined): void {
  const provider = issuer === undefined ? "" : ` data-provider="${new URL(issuer).host}"`
  const bundle = async () => (await import("./bundle.ts")).readBundle()
  const pages = new Map<string, ReturnType<typeof fixedText>>()

  /** The page, which names the scripts of what the address shows, so that they are fetched with the first one. */
  async function page(request: Request, name: string): Promise<Response> {
    const { page, scripts, languages } = await bundle()
    const needed = Object.hasOwn(scripts, name) ? scripts[name]! : []
    const language = languageOf(request.headers, Object.keys(languages))
    const key = `${needed.length > 0 ? name : ""} ${language}`
    let made = pages.get(key)
    if (!made) {
      const links = needed.map((script) => `<link rel="modulepreload" href="/app/assets/${script}">\n`)
      const texts = languages[language]
      // Before the first script, which finds them there.
      const spoken = texts === undefined ? "" : `<script type="module" src="/app/assets/${texts}"></script>\n`
      const shown = page
        .replace('<html lang="en"', `<html lang="${language}"${provider}`)
        .replace('<script type="module"', `${spoken}<script type="module"`)
        .replace("</head>", `${links.join("")}</head>`)
      made = fixedText(() => shown, PAGE_HEADERS)
      pages.set(key, made)
    }
    const response = await made(request)
    response.headers.append("Vary", "Cookie, Accept-Language")
    return response
  }

  async function asset(request: Request, name: string): Promise<Response> {
    const file = (await bundle()).assets.find((one) => one.name === name)
    if (!file) return new Response("Not found\n", { status: 404, headers: { "Cache-Control": "no-store" } })
    const headers = {
      "Content-Type": file.type,
      "Cache-Control": "public, max-age=31536000, immutable",
      "X-Content-Type-Options": "nosniff",
      "Cross-Origin-Resource-Policy": "same-origin",
      Vary: "Accept-Encoding",
    }
    const accepted = request.headers.get("accept-encoding") ?? ""
    const encoding = ["br", "gzip"].find((one) => new RegExp(`\\b${one}\\b`).test(accepted))
    const bytes = await (encoding === "br"
      ? file.packed
      : encoding === "gzip"
        ? gzipped(file)
        : unpacked(file))
    return new Response(bytes, { headers: encoding ? { ...headers, "Content-Encoding": encoding } : headers })
  }

  app.get("/app/assets/:name", (c) => {
    c.env.trace.route = "/app/assets/:name"
    return asset(c.req.raw, c.req.param("name"))
  })
  for (const path of ["/app", "/app/*"]) {
    app.get(path, (c) => {
      c.env.trace.route = "/app"
      return page(c.req.raw, /^\/app\/([\w-]+)/.exec(c.req.path)?.[1] ?? HOME)
    })
  }
}
