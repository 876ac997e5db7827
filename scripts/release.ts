// Makes everything that a release publishes, in dist/release, and checks it. It publishes nothing.
//   npm run release                    for the usual machines and those of Alpine and Windows on ARM
//   npm run release -- --dry-run       for this machine alone, and plays the packages through; --all for every machine
//   npm run release -- --record        adds this version to scripts/release/releases.json
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { packBundle } from "./build/bundle.ts"
import { writeChecksums } from "./build/checksums.ts"
import { build } from "./build/executable.ts"
import { writeSbom } from "./build/sbom.ts"
import { writeServerJson } from "./build/server-json.ts"
import { ownTarget, releaseName, TARGETS, type Target } from "./build/targets.ts"
import { architectureOf, packDebian } from "./release/debian.ts"
import { downloadUrl, type Facts, factsOf } from "./release/facts.ts"
import { writeN8nPackage } from "./release/n8n.ts"
import { notesOf } from "./release/notes.ts"
import { npmPack, writePlatformPackage, writeShimPackage } from "./release/npm.ts"
import { playPackages } from "./release/play.ts"
import { homebrewFormula, readSums, scoopManifest } from "./release/taps.ts"
import { currentRelease, numberProblem, readReleases } from "./release/versions.ts"

const ROOT = join(import.meta.dir, "..")
const OUT = join(ROOT, "dist/release")
const WORK = join(ROOT, "dist/release-work")

const USAGE = "npm run release takes --dry-run, --all, --record, --fast and --no-bundles"
const FLAGS = ["--dry-run", "--all", "--record", "--fast", "--no-bundles"]

/** Throws unless this version may be released under its number. */
async function checkNumber(): Promise<void> {
  const problem = numberProblem(await currentRelease(), readReleases())
  if (problem) throw new Error(problem)
}

async function record(): Promise<void> {
  const current = await currentRelease()
  const others = readReleases().filter(({ version }) => version !== current.version)
  const file = join(ROOT, "scripts/release/releases.json")
  writeFileSync(file, `${JSON.stringify([...others, current], null, 2)}\n`)
  console.log(`${file}: ${current.version}`)
}

function told(path: string): string {
  console.log(`${path.slice(ROOT.length + 1)}  ${(statSync(path).size / 1e6).toFixed(1)} MB`)
  return path
}

interface Made {
  target: Target
  executable: string
}

async function executables(targets: readonly Target[], facts: Facts): Promise<Made[]> {
  const made: Made[] = []
  for (const target of targets) {
    const executable = await build({ outfile: join(OUT, releaseName(facts.version, target)), target })
    made.push({ target, executable: told(executable) })
  }
  return made
}

async function npmPackages(made: readonly Made[], facts: Facts): Promise<void> {
  const packed = join(OUT, "npm")
  mkdirSync(packed, { recursive: true })
  for (const { target, executable } of made)
    told(npmPack(writePlatformPackage(target, executable, facts, WORK), packed))
  told(npmPack(writeShimPackage(facts, WORK, readFileSync(join(ROOT, "README.md"), "utf8")), packed))
  told(npmPack(await writeN8nPackage(WORK, facts), packed))
  run([process.execPath, join(ROOT, "scripts/client.ts"), "--pack"])
  const client = `leaddb-client-${facts.version}.tgz`
  cpSync(join(ROOT, "dist", client), join(packed, client))
  told(join(packed, client))
}

async function bundles(made: readonly Made[], facts: Facts): Promise<string[]> {
  const paths: string[] = []
  for (const { target, executable } of made) {
    const bundle = join(OUT, `leaddb-${facts.version}-${target.name}.mcpb`)
    await packBundle(executable, target, bundle)
    paths.push(told(bundle))
  }
  return paths
}

/** Descriptions for package managers: of a release for all machines, since they name each download. */
async function descriptions(facts: Facts, packed: readonly string[], isWhole: boolean): Promise<void> {
  const { version, registryName } = facts
  const publication = { version, releaseUrl: downloadUrl(facts), registryName }
  await writeServerJson(join(OUT, "server.json"), packed, publication)
  await writeSbom(join(OUT, "sbom.json"))
  const sums = readSums(readFileSync(await writeChecksums(OUT, version), "utf8"))
  if (isWhole) {
    writeFileSync(join(OUT, "leaddb.rb"), homebrewFormula(facts, sums))
    writeFileSync(join(OUT, "leaddb.json"), `${JSON.stringify(scoopManifest(facts, sums), null, 2)}\n`)
  }
  const installer = readFileSync(join(ROOT, "scripts/release/install.sh"), "utf8")
  writeFileSync(join(OUT, "install.sh"), installer.replaceAll("leaddb/leaddb", facts.repository))
  for (const file of ["compose.yml", "compose.postgres.yml"]) {
    const text = readFileSync(join(ROOT, "scripts/release/docker", file), "utf8")
    writeFileSync(join(OUT, file), text.replaceAll("ghcr.io/leaddb/leaddb", `ghcr.io/${facts.repository}`))
  }
  writeFileSync(join(OUT, "notes.md"), notesOf(readFileSync(join(ROOT, "CHANGELOG.md"), "utf8"), version))
}

function run(cmd: string[]): void {
  const { exitCode } = Bun.spawnSync({ cmd, cwd: ROOT, stdout: "inherit", stderr: "inherit" })
  if (exitCode !== 0) throw new Error(`${cmd.join(" ")} ended with ${exitCode}`)
}

async function main(flags: readonly string[]): Promise<void> {
  if (flags.includes("--help")) return console.log(USAGE)
  const unknown = flags.find((flag) => !FLAGS.includes(flag))
  if (unknown) throw new Error(`${unknown}: ${USAGE}`)
  if (flags.includes("--record")) return record()
  await checkNumber()
  const facts = factsOf()
  const isDry = flags.includes("--dry-run")
  const isWhole = !isDry || flags.includes("--all")
  const own = ownTarget()
  const targets = isWhole ? TARGETS : own ? [own] : []
  for (const folder of [OUT, WORK]) rmSync(folder, { recursive: true, force: true })
  mkdirSync(OUT, { recursive: true })
  const made = await executables(targets, facts)
  await npmPackages(made, facts)
  for (const { target, executable } of made.filter(({ target }) => architectureOf(target))) {
    const compression = flags.includes("--fast") ? "gzip" : "xz"
    if (Bun.which("dpkg-deb")) told(packDebian(executable, target, facts, OUT, { compression }))
    else console.log(`no dpkg-deb here: no package for ${target.name}`)
  }
  const packed = flags.includes("--no-bundles") ? [] : await bundles(made, facts)
  await descriptions(facts, packed, isWhole)
  const ownMade = made.find(({ target }) => target === own)
  if (ownMade) run(["node", join(ROOT, "scripts/release/smoke.js"), ownMade.executable])
  if (ownMade && process.platform !== "win32") await playPackages(OUT)
  rmSync(WORK, { recursive: true, force: true })
  console.log(
    `${OUT.slice(ROOT.length + 1)} holds leaddb ${facts.version}${isDry ? "; nothing was published" : ""}`,
  )
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  console.error(`release: ${error instanceof Error ? error.message : error}`)
  process.exit(1)
}
