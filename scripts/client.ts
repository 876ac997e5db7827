// The TypeScript client: its types from the OpenAPI document, and the package that others install.
//   npm run client              src/client/schema.ts from test/golden/openapi.json, once that passes a strict linter,
//                               and the generated parts of the clients in other languages
//   npm run client -- --pack    and dist/leaddb-client-VERSION.tgz, for `npm install ./leaddb-client-VERSION.tgz`
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { dependencies, devDependencies, license, version } from "../package.json"
import { installMissing, lint, run, tool, typesOf } from "./client/tools.ts"
import { typesDocument, withSharedHeaders } from "./client/types-document.ts"
import { writeClients } from "./clients.ts"
import { factsOf, repositoryUrl } from "./release/facts.ts"

const ROOT = join(import.meta.dir, "..")
const DOCUMENT = join(ROOT, "test/golden/openapi.json")
const CLIENT = join(ROOT, "src/client")

/** Writes the types of the document, with the SHA-256 of the part of the document that they are from. */
function generate(): void {
  const text = typesDocument(JSON.parse(readFileSync(DOCUMENT, "utf8")))
  const hash = new Bun.CryptoHasher("sha256").update(text).digest("hex")
  const head = `// Made by \`npm run client\` from test/golden/openapi.json; changes here are lost.\n// SHA-256 of what they are made from: ${hash}\n\n`
  writeFileSync(join(CLIENT, "schema.ts"), head + withSharedHeaders(typesIn(text)))
}

/** The types of a document's text, without the generator's own heading. */
function typesIn(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "leaddb-types-"))
  try {
    const file = join(folder, "openapi.json")
    writeFileSync(file, text)
    return typesOf(file).replace(/^\/\*\*[\s\S]*?\*\/\n+/, "")
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
    repository: { type: "git", url: `git+${repositoryUrl(factsOf())}.git` },
    type: "module",
    engines: { node: ">=20" },
    sideEffects: false,
    exports: { ".": { types: "./index.d.ts", default: "./index.js" } },
    types: "./index.d.ts",
    dependencies: { "openapi-fetch": { ...dependencies, ...devDependencies }["openapi-fetch"] },
    publishConfig: { access: "public", provenance: true },
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
    cpSync(join(ROOT, "LICENSE"), join(folder, "LICENSE"))
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
  process.stdout.write(lint(DOCUMENT))
  generate()
  console.log("src/client/schema.ts")
  for (const path of writeClients()) console.log(path)
  if (option === "--pack") console.log(pack())
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
