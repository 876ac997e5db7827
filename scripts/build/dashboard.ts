// The dashboard inside the executable: its files, packed, and a module that reads them in the place of the one that
// bundles them.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { makeBundle } from "../../src/surfaces/dashboard/make-bundle.ts"

const ROOT = join(import.meta.dir, "../..")

let made: Promise<Record<string, string>> | undefined

/** Modules to build with in place of those of the same path; made once for all targets. */
export function embeddedDashboard(): Promise<Record<string, string>> {
  made ??= make()
  return made
}

async function make(): Promise<Record<string, string>> {
  const { page, scripts, assets, languages } = await makeBundle(join(ROOT, "src/dashboard/main.tsx"), "small")
  // A folder of its own: two builds may be under way in one checkout.
  const folder = mkdtempSync(join(tmpdir(), "leaddb-dashboard-"))
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }))
  for (const { name, packed } of assets) await Bun.write(join(folder, `${name}.br`), packed)
  const imports = assets.map(
    ({ name }, i) =>
      `import file${i} from ${JSON.stringify(join(folder, `${name}.br`))} with { type: "file" }`,
  )
  const entries = assets.map(
    ({ name, type }, i) =>
      `{ name: ${JSON.stringify(name)}, type: ${JSON.stringify(type)}, packed: await Bun.file(file${i}).bytes() }`,
  )
  const module = `${imports.join("\n")}
export async function readBundle() {
  return {
    page: ${JSON.stringify(page)},
    scripts: ${JSON.stringify(scripts)},
    languages: ${JSON.stringify(languages)},
    assets: [${entries.join(", ")}],
  }
}
`
  return { [join(ROOT, "src/surfaces/dashboard/bundle.ts")]: module }
}
