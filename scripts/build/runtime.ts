// Bun for other machines, from the npm registry: exactly the version in package-lock.json, byte for byte, since the
// lock holds the SHA-512 of each. Kept in node_modules/.cache, so that it is fetched once.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { Target } from "./targets.ts"

const ROOT = join(import.meta.dir, "../..")
const CACHE = join(ROOT, "node_modules/.cache/leaddb-runtimes")

/** The path of a Bun executable for a target. Throws an Error when it cannot be had or is not what the lock says. */
export async function getRuntime({ runtime }: Target): Promise<string> {
  const { version, integrity } = locked(runtime.package)
  const folder = join(CACHE, `${runtime.package.replace("@oven/", "")}-${version}`)
  const file = join(folder, "package", runtime.file)
  if (existsSync(file)) return file
  const partial = `${folder}.partial`
  rmSync(partial, { recursive: true, force: true })
  mkdirSync(partial, { recursive: true })
  try {
    const archive = await download(`${runtime.package}@${version}`, partial)
    const found = `sha512-${new Bun.CryptoHasher("sha512").update(archive).digest("base64")}`
    if (found !== integrity) {
      throw new Error(
        `${runtime.package} ${version} is not what package-lock.json says: ${found}, not ${integrity}`,
      )
    }
    await new Bun.Archive(archive).extract(partial)
    rmSync(folder, { recursive: true, force: true })
    renameSync(partial, folder)
  } finally {
    rmSync(partial, { recursive: true, force: true })
  }
  return file
}

function locked(name: string): { version: string; integrity: string } {
  const lock = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"))
  const found = lock.packages[`node_modules/${name}`]
  if (!found) throw new Error(`package-lock.json has no ${name}: this version of Bun has no such runtime`)
  return found
}

/** Fetches a package by npm, with whatever registry and proxy npm is set to; answers with the .tgz. */
async function download(spec: string, folder: string): Promise<Uint8Array<ArrayBuffer>> {
  console.error(`Fetching ${spec}...`)
  const npm = process.platform === "win32" ? ["cmd", "/c", "npm"] : ["npm"]
  const { exitCode, stdout, stderr } = Bun.spawnSync({
    cmd: [...npm, "pack", spec, "--silent", "--pack-destination", folder],
    cwd: ROOT,
  })
  if (exitCode !== 0) {
    throw new Error(
      `npm pack ${spec} failed: ${stderr.toString().trim() || "is the npm registry within reach?"}`,
    )
  }
  return Bun.file(join(folder, stdout.toString().trim().split("\n").at(-1)!)).bytes()
}
