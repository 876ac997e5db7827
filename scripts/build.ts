// Compiles leaddb into one executable that needs nothing else on the machine: migrations, worker and pages inside.
//   npm run build              dist/leaddb for this machine
//   npm run build -- --all     dist/leaddb-VERSION-TARGET for every usual machine, with dist/SHA256SUMS
// Either also writes dist/sbom.json, which lists what is inside.
//   npm run build -- --help    everything else
import { mkdirSync, statSync } from "node:fs"
import { join } from "node:path"
import packageJson from "../package.json" with { type: "json" }
import { packBundle } from "./build/bundle.ts"
import { writeChecksums } from "./build/checksums.ts"
import { build } from "./build/executable.ts"
import { HELP, type Orders, readOrders } from "./build/orders.ts"
import { writeSbom } from "./build/sbom.ts"
import { UNPUBLISHED, writeServerJson } from "./build/server-json.ts"
import { releaseName } from "./build/targets.ts"

const ROOT = join(import.meta.dir, "..")
const DIST = join(ROOT, "dist")
const { version } = packageJson

async function release({ targets, mcpb, releaseUrl, registryName }: Orders): Promise<void> {
  const bundles: string[] = []
  for (const target of targets) {
    const executable = await build({ outfile: join(DIST, releaseName(version, target)), target })
    told(executable)
    if (!mcpb) continue
    const bundle = join(DIST, `leaddb-${version}-${target.name}.mcpb`)
    await packBundle(executable, target, bundle)
    told(bundle)
    bundles.push(bundle)
  }
  if (mcpb) {
    console.log(
      await writeServerJson(join(DIST, "server.json"), bundles, { version, releaseUrl, registryName }),
    )
    if (releaseUrl === undefined || registryName === undefined) console.log(UNPUBLISHED)
  }
  console.log(await writeChecksums(DIST, version))
}

function told(path: string): void {
  console.log(`${path}  ${(statSync(path).size / 1e6).toFixed(1)} MB`)
}

async function main(): Promise<void> {
  const orders = readOrders(process.argv.slice(2))
  if (orders.help) return console.log(HELP.trimEnd())
  mkdirSync(DIST, { recursive: true })
  if (orders.targets.length > 0) await release(orders)
  else told(await build({ outfile: join(DIST, "leaddb") }))
  console.log(await writeSbom(join(DIST, "sbom.json")))
}

if (import.meta.main) {
  try {
    await main()
  } catch (error) {
    console.error(`build: ${error instanceof Error ? error.message : error}`)
    if (error instanceof AggregateError) for (const one of error.errors) console.error(String(one))
    process.exit(1)
  }
}
