import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { brotliCompress, constants } from "node:zlib"
import { ICON } from "../docs/html.ts"

const compress = promisify(brotliCompress)

export interface Asset {
  /** With a hash of what is in it. */
  name: string
  type: string
  /** By brotli. */
  packed: Uint8Array<ArrayBuffer>
}

export interface Bundle {
  /** The page that all addresses of the dashboard show. */
  page: string
  /** By the name in an address: the scripts beyond the first that it needs. */
  scripts: Readonly<Record<string, readonly string[]>>
  assets: readonly Asset[]
  /** The scripts with the texts of other languages than English, by their codes. */
  languages: Readonly<Record<string, string>>
}

const TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
}

/** The languages beside English, by the names of their files. */
const LANGUAGES = ["de"] as const

/** Bundles the dashboard from its entry; `small` takes seconds for the last percent. Throws when it cannot. */
export async function makeBundle(entry: string, care: "small" | "quickly"): Promise<Bundle> {
  const folder = dirname(entry)
  const options = {
    target: "browser",
    minify: true,
    define: { "process.env.NODE_ENV": '"production"' },
    naming: { entry: "[name]-[hash].[ext]", chunk: "[name]-[hash].[ext]", asset: "[name]-[hash].[ext]" },
  } as const
  const modules = [entry, ...LANGUAGES.map((code) => join(folder, `texts/${code}.ts`))]
  const built = await Promise.all([
    Bun.build({ ...options, entrypoints: modules, format: "esm", splitting: true }),
    // By itself, so that it waits for no other script.
    Bun.build({ ...options, entrypoints: [join(folder, "early.ts")], format: "iife" }),
  ])
  const assets = await Promise.all(
    built
      .flatMap(({ outputs }) => outputs)
      .map(async (output): Promise<Output> => {
        const name = output.path.replace(/^.*\//, "")
        const text = name.endsWith(".js") ? await output.text() : ""
        const quality = care === "small" ? 11 : 5
        const packed = await compress(new Uint8Array(await output.arrayBuffer()), {
          params: { [constants.BROTLI_PARAM_QUALITY]: quality },
        })
        const type = TYPES[name.split(".").at(-1)!] ?? "application/octet-stream"
        return { name, type, packed: new Uint8Array(packed), text, isEntry: output.kind === "entry-point" }
      }),
  )
  const scriptOf = (entry: string) =>
    assets.find(({ name, isEntry }) => isEntry && name.startsWith(`${entry}-`))
  const script = scriptOf("main")
  const styles = assets.filter(({ name }) => name.endsWith(".css"))
  const early = scriptOf("early")
  if (!script || !early) throw new Error("the dashboard has no entry")
  return {
    page: page(
      early.name,
      script.name,
      styles.map(({ name }) => name),
    ),
    scripts: scriptsOf(assets, script),
    assets: assets.map(({ name, type, packed }) => ({ name, type, packed })),
    languages: Object.fromEntries(LANGUAGES.map((code) => [code, scriptOf(code)!.name])),
  }
}

interface Output extends Asset {
  text: string
  isEntry: boolean
}

/** The imports of each page, with their imports, without the first script and what comes with it. */
function scriptsOf(outputs: readonly Output[], entry: Output): Bundle["scripts"] {
  const byName = new Map(outputs.map((output) => [output.name, output]))
  function closure(name: string, into: Set<string>): Set<string> {
    if (into.has(name)) return into
    into.add(name)
    for (const [, imported] of byName.get(name)!.text.matchAll(/\b(?:from|import)\s*"\.\/([\w.-]+\.js)"/g)) {
      closure(imported!, into)
    }
    return into
  }
  const first = closure(entry.name, new Set())
  const pages = outputs.filter(({ name, isEntry }) => name.endsWith(".js") && !isEntry)
  return Object.fromEntries(
    pages.map(({ name }) => [
      name.replace(/-\w+\.js$/, ""),
      [...closure(name, new Set(first))].slice(first.size),
    ]),
  )
}

function page(early: string, script: string, styles: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>leaddb</title>
<link rel="icon" href="${ICON}">
<script src="/app/assets/${early}"></script>
${styles.map((style) => `<link rel="stylesheet" href="/app/assets/${style}">\n`).join("")}<script type="module" src="/app/assets/${script}"></script>
</head>
<body>
<div id="root"></div>
<noscript><p>The dashboard needs JavaScript. The API does not: see <a href="/docs">its reference</a>.</p></noscript>
</body>
</html>
`
}
