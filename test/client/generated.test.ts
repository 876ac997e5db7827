import { expect, test } from "bun:test"
import { join } from "node:path"
import { typesDocument } from "../../scripts/client/types-document.ts"

const ROOT = join(import.meta.dir, "../..")
const read = (path: string) => Bun.file(join(ROOT, path)).text()

test("the client's types are those of the golden OpenAPI document", async () => {
  const text = typesDocument(JSON.parse(await read("test/golden/openapi.json")))
  const hash = new Bun.CryptoHasher("sha256").update(text).digest("hex")
  const made = (await read("src/client/schema.ts")).match(/SHA-256 of what they are made from: (\w+)/)?.[1]
  if (made === hash) return
  throw new Error(
    `src/client/schema.ts was made from another document (${made}) than test/golden/openapi.json (${hash}): run npm run client`,
  )
})

test("the client stands alone: it takes nothing from the service", async () => {
  const imports: string[] = []
  for (const file of new Bun.Glob("*.ts").scanSync(join(ROOT, "src/client"))) {
    const code = await read(`src/client/${file}`)
    for (const [, from] of code.matchAll(/^(?:import|export)[^"\n]*from "([^"]+)"|^} from "([^"]+)"/gm)) {
      if (from) imports.push(from)
    }
  }
  expect(imports.length).toBeGreaterThan(5)
  expect(imports.filter((path) => !/^\.\/[a-z]+\.ts$/.test(path) && path !== "openapi-fetch")).toEqual([])
})
