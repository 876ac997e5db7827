// Packages that few requests need lie packed in the executable, without bytecode, which takes ten times the room: they are
// unpacked and parsed when they are first imported.
import { realpathSync } from "node:fs"
import { join } from "node:path"
import { packed } from "./pack.ts"

const ROOT = join(import.meta.dir, "../..")

/**
 * For passkeys, sign-in with a provider, workbooks of few leads, posted forms, packed files, schemas of documents, and
 * moves between engines; with what is imported of those that are large.
 */
const PACKAGES: Readonly<Record<string, readonly string[] | undefined>> = {
  "@simplewebauthn/server": undefined,
  "openid-client": undefined,
  "write-excel-file/universal": undefined,
  "@fastify/busboy": undefined,
  yauzl: undefined,
  "@valibot/to-json-schema": undefined,
  "drizzle-orm/sqlite-core": ["blob", "getTableConfig", "integer", "real", "sqliteTable", "text"],
}

const PHONE_TABLES = realpathSync(join(ROOT, "node_modules/libphonenumber-js/metadata.min.json.js"))

let made: Promise<Record<string, string>> | undefined

/** Modules to build with in place of those of the same path; made once for all targets. */
export function coldPackages(): Promise<Record<string, string>> {
  made ??= make()
  return made
}

async function make(): Promise<Record<string, string>> {
  const packages = Object.entries(PACKAGES).map(async ([name, wanted]) => {
    const entry = Bun.resolveSync(name, ROOT)
    const part = join(ROOT, "part.js")
    const built = await Bun.build({
      ...(wanted === undefined
        ? { entrypoints: [entry] }
        : { entrypoints: [part], files: { [part]: `export { ${wanted} } from ${JSON.stringify(name)}` } }),
      ...{ target: "bun", minify: true, format: "esm" },
    })
    const text = await built.outputs[0]!.text()
    const { exports } = new Bun.Transpiler({ loader: "js" }).scan(text)
    return [entry, await packedModule(name, text, exports)] as const
  })
  const domains = await import("disposable-email-domains-js")
  return {
    ...Object.fromEntries(await Promise.all(packages)),
    [Bun.resolveSync("disposable-email-domains-js", ROOT)]: await packedDomains(
      domains.disposableEmailBlocklistSet(),
    ),
    [PHONE_TABLES]: await packedPhones((await import(PHONE_TABLES)).default),
    [join(Bun.resolveSync("@modelcontextprotocol/server", ROOT), "../shimsNode.mjs")]: NO_VALIDATOR,
  }
}

async function packedModule(name: string, code: string, exports: readonly string[]): Promise<string> {
  const names = exports.map((name) => (name === "default" ? "default: whole" : name))
  return `${await packed(name, code)}
const url = "data:text/javascript;base64," + Buffer.from(unpack()).toString("base64")
export const { ${names.join(", ")} } = await import(url)
${exports.includes("default") ? "export { whole as default }" : ""}
`
}

async function packedDomains(domains: ReadonlySet<string>): Promise<string> {
  return `${await packed("domains", [...domains].join("\n"))}
export const disposableEmailBlocklistSet = () => new Set(unpack().split("\\n"))
`
}

/** Tables of phone numbers. */
async function packedPhones(tables: unknown): Promise<string> {
  return `${await packed("phones", JSON.stringify(tables))}
export default JSON.parse(unpack())
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
