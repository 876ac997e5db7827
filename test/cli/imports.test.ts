import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import { addAccount } from "../support/account.ts"
import { openPlace } from "../support/service.ts"

async function placeWith(files: Record<string, string>) {
  const place = openPlace()
  await addAccount(join(place.folder, "data/leads.db"))
  for (const [name, text] of Object.entries(files)) await Bun.write(join(place.folder, name), text)
  return place
}

describe("leaddb imports", () => {
  test("lists imports, shows one, and takes it back without a service, also a large one", async () => {
    const rows = Array.from({ length: 400 }, (_, i) => `Lead ${i},l${i}@x.de`).join("\n")
    await using place = await placeWith({ "leads.csv": `Firma,E-Mail\n${rows}\n` })
    expect((await place.run(["imports"])).out).toContain("No imports yet")
    const imported = await place.run(["import", "leads.csv", "--name", "fair"])
    const id = /leaddb imports undo (imp_\S+)/.exec(imported.out)?.[1] ?? ""
    const list = await place.run(["imports"])
    expect(list.out).toMatch(
      /ID +WHEN +NAME +STATE +ROWS +CREATED +MERGED +REJECTED\nimp_\S+ +\S+ \S+ UTC +fair +done +400 +400 +0 +0\n/,
    )
    expect((await place.run(["imports", "show", id])).out).toMatch(/Firma +Lead 0 +name +400/)
    const dry = await place.run(["imports", "undo", id, "--dry-run"])
    expect(dry.out).toBe("Would take back what the import did to 400 leads of 400.\n")
    const undone = await place.run(["imports", "undo", id])
    expect(undone.out).toBe("Took back what the import did to 400 leads of 400.\n")
    expect((await place.run(["export", "--format", "json"])).json).toEqual([])
    const { json } = await place.run(["imports", "--json"])
    expect(json.imports).toMatchObject([{ id, state: "undone" }])
    const again = await place.run(["imports", "undo", id])
    expect([again.code, again.err]).toEqual([1, expect.stringContaining("was undone already")])
  }, 120_000)

  test("mappings are saved by name, used again for the same header, listed and deleted", async () => {
    await using place = await placeWith({ "a.csv": "X,Y\nAda,Ulm\n", "b.csv": "X,Y\nBea,Bonn\n" })
    const map = ["--map", "X:name", "--map", "Y:city", "--save-mapping", "fair"]
    expect((await place.run(["import", "a.csv", ...map])).code).toBe(0)
    const { out } = await place.run(["import", "b.csv"])
    expect(out).toContain("mapped as the same header was before (fair)")
    expect(out).toMatch(/Y +Bonn +city +1/)
    expect((await place.run(["import-mappings"])).out).toMatch(
      /fair +\S+ \S+ UTC +\{"map":\["X:name","Y:city"\]\}/,
    )
    expect((await place.run(["import-mappings", "delete", "fair"])).code).toBe(0)
    expect((await place.run(["import-mappings"])).out).toContain("No mappings yet")
    expect((await place.run(["import", "b.csv", "--mapping", "fair"])).err).toContain(
      'There is no mapping "fair"',
    )
  }, 120_000)
})
