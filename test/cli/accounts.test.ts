import { describe, expect } from "bun:test"
import { statSync } from "node:fs"
import { join } from "node:path"
import { openPlace } from "../support/service.ts"
import { testWith } from "../support/test-with.ts"

const test = testWith(openPlace)

describe("leaddb accounts", () => {
  test("create --json prints the account and its first key, and nothing else", async (place) => {
    const made = await place.run(["accounts", "create", "--name", "Acme", "--plan", "free", "--json"])
    expect(made).toMatchObject({ code: 0, err: "" })
    expect(made.json).toEqual({
      account: { id: expect.stringMatching(/^acc_[0-9a-f-]{36}$/), name: "Acme", plan: "free" },
      api_key: expect.stringMatching(/^ldb_[0-9A-Za-z]{38}$/),
    })
    expect(statSync(join(place.folder, "data/leads.db")).mode & 0o777).toBe(0o600)
    const { keys } = (await place.run(["keys", "list", "--json"])).json
    expect(keys).toMatchObject([{ name: "default", role: "owner", expires_at: null }])
  })

  test("list shows plans, limits and how many leads there are", async (place) => {
    await place.run(["accounts", "create", "--name", "Small"])
    await place.run(
      "accounts create --name Big --plan enterprise --batch-limit 5 --requests-limit 7".split(" "),
    )
    const { json } = await place.run(["accounts", "list", "--json"])
    const common = { id: expect.any(String), leads: 0, created_at: expect.any(Number) }
    expect(json).toEqual({
      accounts: [
        {
          ...common,
          name: "Small",
          plan: "free",
          leads_limit: 100,
          requests_limit: 100,
          batch_limit: 100,
          storage_limit: 50_000_000,
          default_country: null,
          time_zone: "UTC",
        },
        {
          ...common,
          name: "Big",
          plan: "enterprise",
          leads_limit: null,
          requests_limit: 7,
          batch_limit: 5,
          storage_limit: null,
          default_country: null,
          time_zone: "UTC",
        },
      ],
    })
    const { out } = await place.run(["accounts", "list"])
    const [head, small, big, ...more] = out.trimEnd().split("\n")
    expect([head, small, big, more.length]).toEqual([
      expect.stringMatching(/^ID +NAME +PLAN +LEADS/),
      expect.stringMatching(/^acc_\S+ +Small +free +0 +100 /),
      expect.stringMatching(/^acc_\S+ +Big +enterprise +0 +no limit +7 +5 /),
      0,
    ])
  })

  test("set-plan changes the plan, keeps other numbers, and none takes one back", async (place) => {
    const { account } = (await place.run("accounts create --name Acme --leads-limit 3 --json".split(" ")))
      .json
    const set = async (more: string) =>
      (await place.run(`accounts set-plan ${more} --json`.split(" "))).json.account
    const pro = { plan: "pro", requests_limit: 1000, batch_limit: 500 }
    expect(await set("--account Acme --plan pro")).toMatchObject({ ...pro, id: account.id, leads_limit: 3 })
    expect(await set(`--account ${account.id} --plan pro --leads-limit none`)).toMatchObject({
      ...pro,
      leads_limit: 500,
    })
  })

  test("set says of which country phones are that name none", async (place) => {
    await place.run(["accounts", "create", "--name", "Acme"])
    const set = (...more: string[]) => place.run(["accounts", "set", ...more, "--json"])
    expect((await set("--default-country", "de")).json.account.default_country).toBe("DE")
    expect((await set("--name", "Acme", "--default-country", "none")).json.account.default_country).toBeNull()
    expect(await set("--account", "Acme", "--default-country", "Germany")).toMatchObject({ code: 2 })
  })

  test("set says of which time zone days are", async (place) => {
    await place.run(["accounts", "create", "--name", "Acme"])
    const set = (...more: string[]) => place.run(["accounts", "set", ...more, "--json"])
    expect((await set("--time-zone", "europe/berlin")).json.account.time_zone).toBe("Europe/Berlin")
    expect(await set("--time-zone", "Berlin")).toMatchObject({
      code: 2,
      err: expect.stringContaining("such as Europe/Berlin"),
    })
    expect(await set()).toMatchObject({ code: 2, err: expect.stringContaining("--time-zone") })
  })

  test("an account is found by its name only while the name is unique", async (place) => {
    for (const name of ["Twin", "Twin", "Single"]) await place.run(["accounts", "create", "--name", name])
    const set = (account: string) =>
      place.run(["accounts", "set-plan", "--account", account, "--plan", "pro"])
    const [twin, single, mistyped] = [await set("Twin"), await set("Single"), await set("Singel")]
    expect(twin).toMatchObject({
      code: 2,
      err: expect.stringMatching(/name of 2 accounts: use one of their ids, acc_.+, acc_/),
    })
    expect(single.code).toBe(0)
    expect(mistyped).toMatchObject({
      code: 1,
      err: expect.stringContaining('no account has the id or name "Singel"'),
    })
  })

  test.for([
    "accounts list",
    "accounts set-plan --account A --plan pro",
    "keys list",
    "check",
    "backup b.db",
  ])("%s says where it looked for a database", async (line, place) => {
    const { code, out, err } = await place.run([...line.split(" "), "--json"], { LEADDB_DATA: "elsewhere" })
    expect({ code, out }).toEqual({ code: 1, out: "" })
    expect(err).toContain(
      `no database at ${join(place.folder, "elsewhere/leads.db")}: name its folder with --data or LEADDB_DATA`,
    )
  })

  test("what is stored cannot steer the terminal", async (place) => {
    await place.run(["accounts", "create", "--name", "red\u001b[31m"])
    expect((await place.run(["accounts", "list"])).out).not.toContain("\u001b")
  })
})
