import { describe, expect, test } from "bun:test"
import { SQL } from "bun"
import { openHook } from "../support/hook.ts"
import { emptyDatabase, hasPostgres, startPostgres } from "../support/postgres.ts"
import { openPlace } from "../support/service.ts"

await startPostgres()

const KEY = "a key that nobody guesses"
const OTHER = "another key that nobody guesses"

describe.skipIf(!hasPostgres)("secrets in PostgreSQL", () => {
  test("are encrypted by a service that starts with a key, sign as before, and open with that key alone", async () => {
    await using place = openPlace()
    await using hook = openHook()
    const url = await emptyDatabase()
    const clear = { LEADDB_DATABASE: url, LEADDB_WEBHOOK_PRIVATE: "allow" }
    const sealed = { ...clear, LEADDB_SECRET_KEY: KEY }
    const first = await place.serve([], sealed)
    const webhook = { url: hook.url, events: ["lead.created"], secret: "whsec_in_clear" }
    await first.call("POST", "/webhooks", webhook)
    await first.call("POST", "/leads", { name: "a", source: "s" })
    const [hit] = await hook.arrived(1)
    const signature = new Bun.CryptoHasher("sha256", "whsec_in_clear").update(hit!.text).digest("hex")
    expect(hit!.headers.get("x-service-signature")).toBe(signature)
    await first.stop()
    expect(await dumped(url)).not.toContain("whsec_in_clear")

    const refused = async (env: Record<string, string>) =>
      (await place.run(["serve", "--port", "0", "--mcp-port", "0"], env)).err
    expect(await refused(clear)).toContain("set LEADDB_SECRET_KEY")
    expect(await refused({ ...clear, LEADDB_SECRET_KEY: OTHER })).toContain(
      "is not the key that the database's secrets are encrypted with",
    )
    // Who needs no secret needs no key.
    expect((await place.run(["accounts", "list"], clear)).code).toBe(0)
    const rotated = await place.run(["secrets", "rotate", "--json"], {
      ...sealed,
      LEADDB_SECRET_KEY_NEW: OTHER,
    })
    expect(rotated.json).toEqual({ secrets: { database: "postgres", state: "encrypted", webhooks: 1 } })
    expect(await refused(sealed)).toContain("is not the key")
    await (await place.serve([], { ...clear, LEADDB_SECRET_KEY: OTHER })).stop()
    const lost = await place.run(["secrets", "decrypt", "--lost"], clear)
    expect(lost.out).toContain("are off until they have another")
    await (await place.serve([], clear)).stop()
  }, 120_000)
})

/** Every webhook and setting as it stands in the database. */
async function dumped(url: string): Promise<string> {
  const sql = new SQL(url, { max: 1 })
  const rows = [...(await sql`SELECT * FROM webhooks`), ...(await sql`SELECT * FROM settings`)]
  await sql.close()
  return JSON.stringify(rows)
}
