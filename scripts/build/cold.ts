// Packages that few requests need lie packed in the executable, without bytecode, which takes ten times the room: they are
// unpacked and parsed when they are first imported.
import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { brotliCompressSync } from "node:zlib"

const ROOT = join(import.meta.dir, "../..")

/** For passkeys, sign-in with a provider, workbooks of few leads, posted forms, packed files, and schemas of documents. */
const PACKAGES = [
  ...["@simplewebauthn/server", "openid-client", "write-excel-file/universal", "@fastify/busboy"],
  ...["yauzl", "@valibot/to-json-schema"],
]

const PHONE_TABLES = realpathSync(join(ROOT, "node_modules/libphonenumber-js/metadata.min.json.js"))

let made: Promise<Record<string, string>> | undefined

/** Modules to build with in place of those of the same path; made once for all targets. */
export function coldPackages(): Promise<Record<string, string>> {
  made ??= make()
  return made
}

async function make(): Promise<Record<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), "leaddb-cold-"))
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }))
  const pack = async (name: string, text: string) => {
    const file = join(folder, `${name.replaceAll(/\W+/g, "-")}.br`)
    await Bun.write(file, brotliCompressSync(text))
    return JSON.stringify(file)
  }
  const packages = PACKAGES.map(async (name) => {
    const entry = Bun.resolveSync(name, ROOT)
    const built = await Bun.build({ entrypoints: [entry], target: "bun", minify: true, format: "esm" })
    const text = await built.outputs[0]!.text()
    const { exports } = new Bun.Transpiler({ loader: "js" }).scan(text)
    return [entry, unpackedModule(await pack(name, text), exports)] as const
  })
  const domains = await import("disposable-email-domains-js")
  return {
    ...Object.fromEntries(await Promise.all(packages)),
    [Bun.resolveSync("disposable-email-domains-js", ROOT)]: unpackedDomains(
      await pack("domains", [...domains.disposableEmailBlocklistSet()].join("\n")),
    ),
    [PHONE_TABLES]: unpackedTables(
      await pack("phones", JSON.stringify((await import(PHONE_TABLES)).default)),
    ),
    [join(Bun.resolveSync("@modelcontextprotocol/server", ROOT), "../shimsNode.mjs")]: NO_VALIDATOR,
  }
}

/** A module with the exports of a packed one. */
function unpackedModule(file: string, exports: readonly string[]): string {
  const names = exports.map((name) => (name === "default" ? "default: whole" : name))
  return `import file from ${file} with { type: "file" }
import { readFileSync } from "node:fs"
import { brotliDecompressSync } from "node:zlib"
const text = brotliDecompressSync(readFileSync(file)).toString("base64")
export const { ${names.join(", ")} } = await import("data:text/javascript;base64," + text)
${exports.includes("default") ? "export { whole as default }" : ""}
`
}

function unpackedDomains(file: string): string {
  return `import file from ${file} with { type: "file" }
import { readFileSync } from "node:fs"
import { brotliDecompressSync } from "node:zlib"
export function disposableEmailBlocklistSet() {
  return new Set(brotliDecompressSync(readFileSync(file)).toString().split("\\n"))
}
`
}

/** Tables of phone numbers, which are unpacked when the library that reads them is loaded. */
function unpackedTables(file: string): string {
  return `import file from ${file} with { type: "file" }
import { readFileSync } from "node:fs"
import { brotliDecompressSync } from "node:zlib"
export default JSON.parse(brotliDecompressSync(readFileSync(file)).toString())
`
}

/** The MCP server checks by JSON Schema what it asks of clients, which this one never does: its validator is a third of it. */
const NO_VALIDATOR = `export { default as process } from "node:process"
export class DefaultJsonSchemaValidator {
  getValidator() {
    throw new Error("this executable has no validator of JSON Schema")
  }
}
`
