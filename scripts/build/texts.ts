// Tables and texts of the source. In code they take much room twice, as text and as bytecode: tables lie in the
// executable as JSON, the texts of a folder packed together.
import { readdirSync, readFileSync } from "node:fs"
import { basename, dirname, join, relative } from "node:path"
import type { BunPlugin } from "bun"
import { packed } from "./pack.ts"

const ROOT = join(import.meta.dir, "../../")
const PACKED = "all.packed-texts"
const TEXT = /\.(sql|css|client\.js)$/

export const compactTexts: BunPlugin = {
  name: "compact texts",
  setup(build) {
    build.onLoad({ filter: /\.json$/ }, async ({ path }) => {
      if (!path.startsWith(join(ROOT, "src/"))) return undefined
      const text = JSON.stringify(await Bun.file(path).json())
      return { contents: `export default JSON.parse(${JSON.stringify(text)})`, loader: "js" }
    })
    build.onLoad({ filter: TEXT }, ({ path }) => ({
      contents: `import texts from ${JSON.stringify(join(dirname(path), PACKED))}
export default texts[${JSON.stringify(basename(path))}]`,
      loader: "js",
    }))
    build.onResolve({ filter: /\.packed-texts$/ }, ({ path }) => ({ path }))
    build.onLoad({ filter: /\.packed-texts$/ }, async ({ path }) => {
      const folder = dirname(path)
      const names = readdirSync(folder).filter((name) => TEXT.test(name))
      const texts = Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]))
      const code = await packed(relative(ROOT, folder), JSON.stringify(texts))
      return { contents: `${code}export default JSON.parse(unpack())`, loader: "js" }
    })
  },
}
