import { describe, expect, test } from "bun:test"
import { pluck } from "../support/pluck.ts"
import { openPlace } from "../support/service.ts"

describe("leaddb compact", () => {
  test("gives back room beside a running service, which goes on", async () => {
    await using place = openPlace()
    const { call } = await place.serve()
    const push = (leads: object[]) => call("POST", "/leads/batch", { leads })
    const description = "a long text ".repeat(500)
    const leads = Array.from({ length: 300 }, (_, i) => ({
      name: `n${i}`,
      source: "s",
      description: `${i} ${description}`,
    }))
    const ids = pluck((await push(leads)).body.created, "id")
    await call("DELETE", "/leads/batch", { ids })
    const { code, json: told } = await place.run(["compact", "--json"])
    expect(code).toBe(0)
    expect(told.compact.after).toBeLessThan(told.compact.before / 2)
    expect((await push([{ name: "later", source: "s" }])).status).toBe(201)
    expect((await place.run(["check", "--json"])).json).toMatchObject({ ok: true, findings: [] })
    const { changes } = (await call("GET", "/changes?action=deleted&limit=1")).body
    const { body } = await call("POST", "/changes/revert", { change_ids: pluck(changes, "id") })
    expect(body).toMatchObject({ reverted: 1 })
  }, 120_000)

  test("keep-changes says how long, and compact forgets what is older", async () => {
    await using place = openPlace()
    await place.run(["accounts", "create", "--name", "a", "--json"])
    const keep = (time: string) =>
      place.run(["accounts", "keep-changes", "--account", "a", "--for", time, "--json"])
    expect((await keep("90d")).json.keep_seconds).toBe(90 * 86_400)
    expect((await keep("forever")).json.keep_seconds).toBe(0)
    expect((await keep("default")).json.keep_seconds).toBeNull()
    const wrong = await keep("soon")
    expect([wrong.code, wrong.err]).toEqual([
      2,
      expect.stringContaining("must be default, forever, or days such as 90d"),
    ])
    expect((await place.run(["compact", "--changes-keep", "30d"])).out).toContain("bytes before")
  }, 120_000)
})
