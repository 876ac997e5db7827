// The n8n package: its nodes as CommonJS, which is all that n8n loads, with nothing but n8n's own package beside them.
import { cpSync, mkdirSync } from "node:fs"
import { basename, dirname, join } from "node:path"

const SOURCES = join(import.meta.dir, "../../src/clients/n8n")
const ENTRIES = [
  "credentials/LeaddbApi.credentials.ts",
  "nodes/Leaddb/Leaddb.node.ts",
  "nodes/LeaddbTrigger/LeaddbTrigger.node.ts",
]

/** Builds the package into a folder, ready to be packed. Returns the folder. */
export async function writeN8nPackage(folder: string): Promise<string> {
  const own = join(folder, "n8n-nodes-leaddb")
  mkdirSync(own, { recursive: true })
  for (const entry of ENTRIES) {
    const outdir = join(own, "dist", dirname(entry))
    const entrypoints = [join(SOURCES, entry)]
    await Bun.build({ entrypoints, outdir, target: "node", format: "cjs", external: ["n8n-workflow"] })
  }
  for (const icon of ["nodes/Leaddb/leaddb.svg", "nodes/LeaddbTrigger/leaddb.svg"])
    cpSync(join(SOURCES, icon), join(own, "dist", icon))
  for (const file of ["package.json", "README.md", "templates"])
    cpSync(join(SOURCES, file), join(own, basename(file)), { recursive: true })
  return own
}
