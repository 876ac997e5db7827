// Compiles leaddb into one executable that needs nothing else on the machine: migrations, worker and pages inside.
//   npm run build              dist/leaddb for this machine
//   npm run build -- --all     dist/leaddb-VERSION-TARGET for every usual machine, with dist/SHA256SUMS
//   npm run build -- --help    everything else
import { chmodSync, mkdirSync, statSync } from "node:fs"
import { join } from "node:path"
import packageJson from "../package.json" with { type: "json" }
import { packBundle } from "./build/bundle.ts"
import { writeChecksums } from "./build/checksums.ts"
import { HELP, type Orders, readOrders } from "./build/orders.ts"
import { getRuntime } from "./build/runtime.ts"
import { UNPUBLISHED, writeServerJson } from "./build/server-json.ts"
import { signAdHoc } from "./build/sign-macos.ts"
import { ownTarget, releaseName, type Target } from "./build/targets.ts"

const ROOT = join(import.meta.dir, "..")
const DIST = join(ROOT, "dist")
const { version } = packageJson

interface Executable {
  outfile: string
  /** Another machine; this one when left out. */
  target?: Target
}

/** Builds one executable; answers with its path, with what Windows appends. Throws when it cannot be built. */
export async function build({ outfile, target }: Executable): Promise<string> {
  const isOwn = target === undefined || target === ownTarget()
  const foreign = isOwn ? {} : { target: target.platform, executablePath: await getRuntime(target) }
  const result = await Bun.build({
    entrypoints: [join(ROOT, "src/main.ts")],
    // What lies in the folder it is started from must not change what it does: only flags and the environment do.
    compile: { outfile, autoloadBunfig: false, autoloadDotenv: false, ...foreign },
    minify: true,
    bytecode: true,
    // What is imported on demand is also read on demand: a start takes 6 ms less, and 3 MB.
    splitting: true,
    format: "esm",
  })
  const { path } = result.outputs[0]!
  if (target?.name === "macos-x64" && !isOwn) {
    await Bun.write(path, signAdHoc(await Bun.file(path).bytes(), "leaddb"))
  }
  chmodSync(path, 0o755)
  return path
}

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
