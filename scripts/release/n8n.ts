// The n8n package: its nodes as CommonJS, which is all that n8n loads, with nothing but n8n's own package beside them.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { type Facts, factsOf, repositoryUrl } from "./facts.ts"

const SOURCES = join(import.meta.dir, "../../src/clients/n8n")
const ENTRIES = [
  "credentials/LeaddbApi.credentials.ts",
  "nodes/Leaddb/Leaddb.node.ts",
  "nodes/LeaddbTrigger/LeaddbTrigger.node.ts",
]

/**
 * Builds the package into a folder, ready to be packed. Returns the folder. Its manifest names the repository that
 * releases it, without which npm takes no provenance.
 */
export async function writeN8nPackage(folder: string, facts: Facts = factsOf()): Promise<string> {
  const own = join(folder, "n8n-nodes-leaddb")
  mkdirSync(own, { recursive: true })
  for (const entry of ENTRIES) {
    const outdir = join(own, "dist", dirname(entry))
    const entrypoints = [join(SOURCES, entry)]
    await Bun.build({ entrypoints, outdir, target: "node", format: "cjs", external: ["n8n-workflow"] })
  }
  for (const node of ["Leaddb", "LeaddbTrigger"])
    for (const icon of ["leaddb.svg", "leaddb.dark.svg"])
      cpSync(join(SOURCES, "nodes", node, icon), join(own, "dist/nodes", node, icon))
  for (const file of ["README.md", "templates"])
    cpSync(join(SOURCES, file), join(own, basename(file)), { recursive: true })
  const manifest = {
    ...JSON.parse(readFileSync(join(SOURCES, "package.json"), "utf8")),
    version: facts.version,
    homepage: repositoryUrl(facts),
    repository: { type: "git", url: `git+${repositoryUrl(facts)}.git` },
  }
  writeFileSync(join(own, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`)
  return own
}
