import { beforeAll, describe, expect, test } from "bun:test"
import { Validation } from "@cyclonedx/cyclonedx-library"
import packageJson from "../../package.json" with { type: "json" }
import { makeSbom, SBOM_VERSION } from "../../scripts/build/sbom.ts"

let text: string
beforeAll(async () => {
  text = await makeSbom()
}, 120_000)

interface Sbom {
  components: {
    name: string
    group?: string
    version: string
    purl: string
    type: string
    hashes: unknown[]
  }[]
  dependencies: { ref: string; dependsOn?: string[] }[]
}
const sbom = (): Sbom => JSON.parse(text)
const names = () => sbom().components.map(({ group, name }) => (group ? `${group}/${name}` : name))

describe("the list of what is in the executable", () => {
  test("is CycloneDX, by the letter of its schema", async () => {
    const validator = new Validation.JsonStrictValidator(SBOM_VERSION)
    expect(await validator.validate(text)).toBeNull()
    expect(await validator.validate(text.replace('"library"', '"librarian"'))).not.toBeNull()
  }, 120_000)

  test("has what the service and the dashboard import, what those import, and Bun; nothing that only builds or tests", () => {
    expect(names()).toEqual(expect.arrayContaining(Object.keys(packageJson.dependencies)))
    expect(names()).toEqual(expect.arrayContaining(["pend", "@preact/signals-core"]))
    for (const built of ["typescript", "@biomejs/biome", "playwright-core", "@cyclonedx/cyclonedx-library"])
      expect(names()).not.toContain(built)
    expect(sbom().components.find(({ name }) => name === "bun")).toMatchObject({
      type: "platform",
      version: Bun.version,
    })
  })

  test("says of each which bytes it is, and what it is there for", () => {
    const { components, dependencies } = sbom()
    for (const { name, hashes } of components) expect([name, hashes?.length]).toEqual([name, 1])
    const used = new Set(dependencies.flatMap(({ dependsOn = [] }) => dependsOn))
    expect(components.filter(({ purl }) => !used.has(purl)).map(({ purl }) => purl)).toEqual([])
  })

  test("is the same for the same sources", async () => {
    expect(await makeSbom()).toBe(text)
  }, 120_000)
})
