// The npm packages: `leaddb`, a small program that runs the executable of its machine, and a package with the executable
// for each machine. They have no install scripts, so that `--ignore-scripts` changes nothing.
import { chmodSync, cpSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { TARGETS, type Target } from "../build/targets.ts"
import { ABOUT, type Facts, repositoryUrl } from "./facts.ts"

const SHIM = join(import.meta.dir, "npm/leaddb.js")
const LICENSE = join(import.meta.dir, "../../LICENSE")

/** `@leaddb/linux-x64-musl`: as Node names the machine. */
export function platformPackage({ name, system }: Pick<Target, "name" | "system">): string {
  const [, cpu, libc] = name.split("-")
  return `@leaddb/${system}-${cpu}${libc ? `-${libc}` : ""}`
}

/** The description of a platform package. */
export function platformManifest(target: Target, facts: Facts): object {
  const [, cpu, libc] = target.name.split("-")
  return {
    name: platformPackage(target),
    version: facts.version,
    description: `The executable of leaddb for ${target.name}`,
    license: facts.license,
    repository: { type: "git", url: `git+${repositoryUrl(facts)}.git` },
    os: [target.system],
    cpu: [cpu],
    ...(target.system === "linux" && { libc: [libc ?? "glibc"] }),
    // Package managers that keep archives packed have to unpack this one: an executable is run from its file.
    preferUnplugged: true,
    files: ["bin"],
    publishConfig: { access: "public", provenance: true },
  }
}

/** The description of `leaddb`: exactly these versions of the executables. */
export function shimManifest(facts: Facts, targets: readonly Target[] = TARGETS): object {
  return {
    name: "leaddb",
    version: facts.version,
    description: ABOUT,
    license: facts.license,
    keywords: ["leads", "crm", "sales", "database", "sqlite", "postgresql", "mcp"],
    repository: { type: "git", url: `git+${repositoryUrl(facts)}.git` },
    homepage: repositoryUrl(facts),
    // The MCP registry reads here that the package is of the server of this name.
    mcpName: facts.registryName,
    engines: { node: ">=20" },
    bin: { leaddb: "bin/leaddb.js" },
    files: ["bin"],
    optionalDependencies: Object.fromEntries(
      targets.map((target) => [platformPackage(target), facts.version]),
    ),
    publishConfig: { access: "public", provenance: true },
  }
}

/** Writes a platform package into a folder, with the executable. Returns the folder. */
export function writePlatformPackage(
  target: Target,
  executable: string,
  facts: Facts,
  folder: string,
): string {
  const own = join(folder, platformPackage(target))
  const file = join(own, "bin", `leaddb${target.system === "win32" ? ".exe" : ""}`)
  mkdirSync(join(own, "bin"), { recursive: true })
  cpSync(executable, file)
  chmodSync(file, 0o755)
  writeManifest(own, platformManifest(target, facts))
  writeFileSync(
    join(own, "README.md"),
    `The executable of [leaddb](https://www.npmjs.com/package/leaddb) for ${target.name}. Install \`leaddb\`.\n`,
  )
  return own
}

/** Writes `leaddb` into a folder. Returns the folder. */
export function writeShimPackage(
  facts: Facts,
  folder: string,
  readme: string,
  targets: readonly Target[] = TARGETS,
): string {
  const own = join(folder, "leaddb")
  mkdirSync(join(own, "bin"), { recursive: true })
  cpSync(SHIM, join(own, "bin/leaddb.js"))
  chmodSync(join(own, "bin/leaddb.js"), 0o755)
  writeManifest(own, shimManifest(facts, targets))
  writeFileSync(join(own, "README.md"), readme)
  return own
}

function writeManifest(folder: string, manifest: object): void {
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`)
}

/** Packs a folder with npm, and the licence with it. Returns the path of the .tgz. */
export function npmPack(folder: string, destination: string): string {
  cpSync(LICENSE, join(folder, "LICENSE"))
  const npm = process.platform === "win32" ? ["cmd", "/c", "npm"] : ["npm"]
  const { exitCode, stdout, stderr } = Bun.spawnSync({
    cmd: [...npm, "pack", "--silent", "--pack-destination", destination],
    cwd: folder,
  })
  if (exitCode !== 0) throw new Error(`npm pack in ${folder} failed: ${stderr}`)
  return join(destination, stdout.toString().trim().split("\n").at(-1)!)
}
