// Texts that lie packed in the executable.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { brotliCompressSync } from "node:zlib"

/** Packs a text; returns code of a module that unpacks it by `unpack()`. */
export async function packed(name: string, text: string): Promise<string> {
  // A folder of its own: the bundler does not see what is added to one that it has read.
  const folder = mkdtempSync(join(tmpdir(), "leaddb-packed-"))
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, `${name.replaceAll(/\W+/g, "-")}.br`)
  await Bun.write(file, brotliCompressSync(text))
  return `import file from ${JSON.stringify(file)} with { type: "file" }
import { readFileSync } from "node:fs"
import { brotliDecompressSync } from "node:zlib"
const unpack = () => brotliDecompressSync(readFileSync(file)).toString()
`
}
