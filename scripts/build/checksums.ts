import { readdirSync } from "node:fs"
import { join } from "node:path"

/** SHA-256 of a file, in hex. */
export async function sha256(path: string): Promise<string> {
  const hasher = new Bun.CryptoHasher("sha256")
  for await (const chunk of Bun.file(path).stream()) hasher.update(chunk)
  return hasher.digest("hex")
}

/** Lists every released file of a version that lies in a folder, as `sha256sum -c` reads it. Answers with the path. */
export async function writeChecksums(folder: string, version: string): Promise<string> {
  const names = readdirSync(folder).filter((name) =>
    [`leaddb-${version}-`, `leaddb_${version}_`].some((start) => name.startsWith(start)),
  )
  const lines: string[] = []
  for (const name of names.toSorted()) lines.push(`${await sha256(join(folder, name))}  ${name}\n`)
  const path = join(folder, "SHA256SUMS")
  await Bun.write(path, lines.join(""))
  return path
}
