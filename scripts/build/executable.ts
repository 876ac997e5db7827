import { chmodSync } from "node:fs"
import { join } from "node:path"
import { coldPackages } from "./cold.ts"
import { embeddedDashboard } from "./dashboard.ts"
import { getRuntime } from "./runtime.ts"
import { signAdHoc } from "./sign-macos.ts"
import { ownTarget, type Target } from "./targets.ts"
import { compactTexts } from "./texts.ts"

const ROOT = join(import.meta.dir, "../..")

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
    files: { ...(await embeddedDashboard()), ...(await coldPackages()) },
    plugins: [compactTexts],
    // What lies in the folder it is started from must not change what it does: only flags and the environment do.
    compile: { outfile, autoloadBunfig: false, autoloadDotenv: false, ...foreign },
    define: { LEADDB_COMMIT: JSON.stringify(commitOf(ROOT)) },
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

/** Bundles the program as modules, which threads start from in half the time of the source; answers with the first. */
export async function buildModules(outdir: string): Promise<string> {
  const result = await Bun.build({
    entrypoints: [join(ROOT, "src/main.ts")],
    outdir,
    target: "bun",
    minify: { whitespace: true, syntax: true },
    splitting: true,
    format: "esm",
  })
  return result.outputs.find(({ kind }) => kind === "entry-point")!.path
}

/** The short commit of a checkout, with `-dirty` for one that has changes; `unknown` without git. */
function commitOf(folder: string): string {
  const git = (...args: string[]) => Bun.spawnSync({ cmd: ["git", ...args], cwd: folder, stderr: "ignore" })
  try {
    const { exitCode, stdout } = git("rev-parse", "--short=12", "HEAD")
    if (exitCode !== 0) return "unknown"
    const isDirty = git("status", "--porcelain", "--untracked-files=no").stdout.length > 0
    return `${stdout.toString().trim()}${isDirty ? "-dirty" : ""}`
  } catch {
    return "unknown"
  }
}
