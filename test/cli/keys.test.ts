import { Database } from "bun:sqlite"
import { describe, expect } from "bun:test"
import { join } from "node:path"
import { pluck } from "../support/pluck.ts"
import { openPlace, type Served } from "../support/service.ts"
import { testWith } from "../support/test-with.ts"

const test = testWith(openPlace)

/** The status of a list, or of a push of this, with a key. */
const leads = async ({ call }: Served, key: string, lead?: object) =>
  (await call(lead ? "POST" : "GET", "/leads", lead, { "X-API-Key": key })).status

describe("leaddb keys", () => {
  test("create --json prints the record and the key", async (place) => {
    await place.run(["accounts", "create", "--name", "Acme"])
    const args = "keys create --name CRM --role editor --expires-at 2100-01-01 --json".split(" ")
    const made = (await place.run(args)).json
    expect(made).toEqual({
      id: expect.stringMatching(/^key_/),
      name: "CRM",
      prefix: made.api_key.slice(0, 12),
      role: "editor",
      created_at: expect.any(Number),
      last_used_at: null,
      expires_at: 4_102_444_800,
      kind: "key",
      issued_by: null,
      api_key: expect.stringMatching(/^ldb_/),
    })
    const { api_key, ...record } = made
    const listed = await place.run(["keys", "list", "--json"])
    expect(listed.json.keys[1]).toEqual(record)
    expect(listed.out).not.toContain(api_key)
  })

  test("takes --expires-at in Unix seconds, and as a date, which is UTC unless it says otherwise", async () => {
    await using place = openPlace()
    await place.run(["accounts", "create", "--name", "Acme"])
    const times = ["4102444800", "2100-01-01", "2100-01-01T00:00:10", "2100-01-01T01:00:00+01:00"]
    const made = times.map((time) =>
      place.run(["keys", "create", "--name", "N", "--expires-at", time, "--json"]),
    )
    const expiries = (await Promise.all(made)).map(({ json }) => json.expires_at - 4_102_444_800)
    expect(expiries).toEqual([0, 0, 10, 0])
  })

  test("create --segment binds a key to a segment, by its id or name", async (place) => {
    const service = await place.serve()
    const segment = { name: "In Berlin", filter: ["and.eq.city.Berlin"] }
    const { id } = (await service.call("POST", "/segments", segment)).body
    for (const named of [id, "In Berlin"]) {
      const made = (await place.run(["keys", "create", "--name", "P", "--segment", named, "--json"])).json
      expect(made.segment).toBe(id)
      expect(await leads(service, made.api_key)).toBe(200)
      expect(await leads(service, made.api_key, {})).toBe(400)
    }
    expect((await place.run(["keys", "list"])).out).toContain(`segment ${id}`)
    const unknown = await place.run(["keys", "create", "--name", "P", "--segment", "In Bonn"])
    expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining('the account has "In Berlin"')])
  })

  test("with several accounts, --account says which", async (place) => {
    for (const name of ["One", "Two"]) await place.run(["accounts", "create", "--name", name])
    const unclear = await place.run(["keys", "list"])
    expect(unclear).toMatchObject({
      code: 2,
      err: expect.stringContaining("--account ID is required, since there are 2 accounts"),
    })
    await place.run(["keys", "create", "--account", "Two", "--name", "extra"])
    const names = async (account: string) =>
      pluck((await place.run(["keys", "list", "--account", account, "--json"])).json.keys, "name")
    expect([await names("One"), await names("Two")]).toEqual([["default"], ["default", "extra"]])
  })

  test("a running service obeys at once", async (place) => {
    const service = await place.serve()
    const { id, api_key } = (await place.run(["keys", "create", "--name", "N", "--role", "viewer", "--json"]))
      .json
    expect(await leads(service, api_key)).toBe(200)
    expect(await leads(service, api_key, {})).toBe(403)
    expect((await place.run(["keys", "revoke", id])).code).toBe(0)
    expect(await leads(service, api_key)).toBe(401)
    expect(await leads(service, service.key)).toBe(200)
    await place.run("accounts set-plan --account default --plan free --leads-limit 0".split(" "))
    expect(await leads(service, service.key, { name: "Ada", source: "test" })).toBe(403)
  })

  test("waits for another process that is writing", async (place) => {
    await place.run(["accounts", "create", "--name", "Acme"])
    const other = new Database(join(place.folder, "data/leads.db"))
    other.run("BEGIN IMMEDIATE")
    const listed = await place.run(["keys", "list"])
    const created = place.run(["keys", "create", "--name", "N"])
    // Longer than one statement waits by itself.
    await Bun.sleep(800)
    other.run("COMMIT")
    other.close()
    expect([listed.code, (await created).code]).toEqual([0, 0])
  })

  test("revokes even the last owner key, and says how to make another", async (place) => {
    const { account } = (await place.run(["accounts", "create", "--name", "Acme", "--json"])).json
    await place.run(["keys", "create", "--name", "spare", "--json"])
    const [first, second] = (await place.run(["keys", "list", "--json"])).json.keys
    const revoke = (id: string, ...more: string[]) => place.run(["keys", "revoke", "--key", id, ...more])
    expect((await revoke(first.id)).out).toBe(`Revoked ${first.id} "default".\n`)
    const note = `No owner key is left. Make one: leaddb keys create --account ${account.id} --name owner`
    expect((await revoke(second.id, "--json")).json).toEqual({
      revoked: second,
      also_revoked: [],
      owner_keys_left: 0,
      note,
    })
    const gone = await revoke(second.id)
    expect(gone).toMatchObject({
      code: 1,
      err: expect.stringContaining(`there is no key ${second.id}: see leaddb keys list`),
    })
  })

  test("a raw key given instead of its id is not repeated", async (place) => {
    const { api_key } = (await place.run(["accounts", "create", "--name", "Acme", "--json"])).json
    const { code, err } = await place.run(["keys", "revoke", "--key", api_key])
    expect(code).toBe(1)
    expect(err).not.toContain(api_key)
  })
})
