// The TypeScript client: its types from the OpenAPI document, and the package that others install.
//   npm run client              src/client/schema.ts from test/golden/openapi.json, once that passes a strict linter,
//                               and the generated parts of the clients in other languages
//   npm run client -- --pack    and dist/leaddb-client-VERSION.tgz, for `npm install ./leaddb-client-VERSION.tgz`
import { spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { dependencies, devDependencies, license, version } from "../package.json"
import { typesDocument, withSharedHeaders } from "./client/types-document.ts"
import { writeClients } from "./clients.ts"

const ROOT = join(import.meta.dir, "..")
const DOCUMENT = join(ROOT, "test/golden/openapi.json")
const CLIENT = join(ROOT, "src/client")
/** The generator, with packages of its own: it needs an older TypeScript than the project. */
const GENERATOR = join(import.meta.dir, "client")

/** Runs a program of the generator's or the machine's. Throws when it fails. */
function run(program: string, args: string[], cwd = GENERATOR): string {
  const shell = process.platform === "win32"
  const { status, stdout, error } = spawnSync(program, args, {
    cwd,
    shell,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  })
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} failed: ${error ?? stdout}`)
  return stdout
}

function installMissing(): void {
  const lock = readFileSync(join(GENERATOR, "package-lock.json"), "utf8")
  const stamp = join(GENERATOR, "node_modules/.leaddb-lock")
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return
  run("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"])
  writeFileSync(stamp, lock)
}

const tool = (path: string) => join(GENERATOR, "node_modules", path)

/** Holds the document against strict rules. Throws when there is anything to find fault with. */
function check(): void {
  process.stdout.write(run("node", [join(GENERATOR, "lint.js"), DOCUMENT]))
}

/** Writes the types of the document, with the SHA-256 of the part of the document that they are from. */
function generate(): void {
  const text = typesDocument(JSON.parse(readFileSync(DOCUMENT, "utf8")))
  const hash = new Bun.CryptoHasher("sha256").update(text).digest("hex")
  const head = `// Made by \`npm run client\` from test/golden/openapi.json; changes here are lost.\n// SHA-256 of what they are made from: ${hash}\n\n`
  writeFileSync(join(CLIENT, "schema.ts"), head + withSharedHeaders(typesOf(text)))
}

/** The types of a document, as the generator writes them. */
function typesOf(document: string): string {
  const folder = mkdtempSync(join(tmpdir(), "leaddb-types-"))
  try {
    const file = join(folder, "openapi.json")
    writeFileSync(file, document)
    // A body may leave out what has a default.
    const types = run("node", [tool("openapi-typescript/bin/cli.js"), file, "--default-non-nullable=false"])
    return types.replace(/^\/\*\*[\s\S]*?\*\/\n+/, "")
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The package's description of itself: what it needs is pinned where the project pins it. */
function manifest(): object {
  return {
    name: "leaddb-client",
    version,
    description: "Typed client of leaddb, a database of business leads",
    license,
    type: "module",
    engines: { node: ">=20" },
    sideEffects: false,
    exports: { ".": { types: "./index.d.ts", default: "./index.js" } },
    types: "./index.d.ts",
    dependencies: { "openapi-fetch": { ...dependencies, ...devDependencies }["openapi-fetch"] },
  }
}

/** Compiles the client and packs it. Returns the path of the package. */
function pack(): string {
  const folder = mkdtempSync(join(tmpdir(), "leaddb-client-"))
  try {
    run("node", [
      tool("typescript/bin/tsc"),
      join(CLIENT, "index.ts"),
      ...["--outDir", folder, "--declaration", "--target", "ES2023", "--lib", "ES2023,DOM,DOM.Iterable"],
      ...["--module", "NodeNext", "--rewriteRelativeImportExtensions", "--strict", "--skipLibCheck"],
      "--exactOptionalPropertyTypes",
      "--verbatimModuleSyntax",
    ])
    writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest(), null, 2)}\n`)
    cpSync(join(ROOT, "docs/client.md"), join(folder, "README.md"))
    const dist = join(ROOT, "dist")
    mkdirSync(dist, { recursive: true })
    return join(dist, run("npm", ["pack", "--silent", "--pack-destination", dist], folder).trim())
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const [option, ...more] = process.argv.slice(2)
if (more.length > 0 || (option !== undefined && option !== "--pack")) {
  console.error(`npm run client takes nothing or --pack, not ${[option, ...more].join(" ")}`)
  process.exit(2)
}
try {
  installMissing()
  check()
  generate()
  console.log("src/client/schema.ts")
  for (const path of writeClients()) console.log(path)
  if (option === "--pack") console.log(pack())
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
