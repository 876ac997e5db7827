// Compiles leaddb into one executable that needs nothing else on the machine: migrations, worker and pages inside.
//   npm run build    dist/leaddb for this machine
import { mkdirSync, statSync } from "node:fs"
import { join } from "node:path"

const ROOT = join(import.meta.dir, "..")

interface Target {
  outfile: string
  /** A platform such as `bun-linux-arm64`; this machine's when left out. */
  platform?: Bun.Build.CompileTarget
}

/** Builds one executable; answers with its path, with what Windows appends. Throws when it cannot be built. */
export async function build({ outfile, platform }: Target): Promise<string> {
  const result = await Bun.build({
    entrypoints: [join(ROOT, "src/main.ts")],
    // What lies in the folder it is started from must not change what it does: only flags and the environment do.
    compile: { outfile, autoloadBunfig: false, autoloadDotenv: false, ...(platform && { target: platform }) },
    minify: true,
    bytecode: true,
    format: "esm",
  })
  return result.outputs[0]!.path
}

if (import.meta.main) {
  mkdirSync(join(ROOT, "dist"), { recursive: true })
  const targets: Target[] = [{ outfile: join(ROOT, "dist/leaddb") }]
  for (const target of targets) {
    const path = await build(target)
    console.log(`${path}  ${(statSync(path).size / 1e6).toFixed(1)} MB`)
  }
}
