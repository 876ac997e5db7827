// Tables of src lie in the executable as JSON text: as an object in code their bytecode takes six times the room.
import { join } from "node:path"
import type { BunPlugin } from "bun"

const TABLES = join(import.meta.dir, "../../src/")

export const tablesAsText: BunPlugin = {
  name: "tables as text",
  setup(build) {
    build.onLoad({ filter: /\.json$/ }, async ({ path }) => {
      if (!path.startsWith(TABLES)) return undefined
      const text = JSON.stringify(await Bun.file(path).json())
      return { contents: `export default JSON.parse(${JSON.stringify(text)})`, loader: "js" }
    })
  },
}
