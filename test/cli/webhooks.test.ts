import { describe, expect, test } from "bun:test"
import { openHook } from "../support/hook.ts"
import { openPlace, type Place, type Started } from "../support/service.ts"
import { until } from "../support/until.ts"

/** A service with a webhook that is answered 200, 500, 200, ... */
async function openService(place: Place, url: string) {
  const { call } = await place.serve()
  expect((await call("POST", "/webhooks", { url, events: ["lead.created"] })).status).toBe(201)
  return (name: string) => call("POST", "/leads", { name, source: "s" })
}

const lines = ({ out }: Started) => out().split("\n").slice(0, -1)

describe("leaddb webhooks tail", () => {
  test("shows every attempt from now on, an aligned line each, until it is stopped", async () => {
    await using hook = openHook((_, nth) => (nth === 2 ? 500 : 200))
    await using place = openPlace()
    const create = await openService(place, hook.url)
    await create("before")
    await hook.arrived(1)
    const tail = place.start(["webhooks", "tail"])
    await until("the head", () => tail.out().includes("\n"))
    await create("A")
    await hook.arrived(2)
    await create("B")
    await until("both", () => lines(tail).length === 3)
    tail.signal("SIGINT")
    expect((await tail.ended).code).toBe(0)
    const [head, failed, fine] = lines(tail)
    const time = "\\d\\d:\\d\\d:\\d\\d"
    const url = RegExp.escape(hook.url)
    expect(head).toMatch(/^TIME UTC {2}EVENT +URL +STATUS +CODE +MS {2}ERROR$/)
    const problem = `answered 500 \\(attempt 1, next ${time}\\)`
    expect(failed).toMatch(new RegExp(`^${time}  lead\\.created +${url} +pending +500 +\\d+  ${problem}$`))
    expect(fine).toMatch(new RegExp(`^${time}  lead\\.created +${url} +succeeded +200 +\\d+$`))
    const places = [head, failed, fine].map((line) => line!.search(/STATUS|pending|succeeded/))
    expect(new Set(places).size).toBe(1)
  })

  test("--json prints a document a line, of one account if one is named", async () => {
    await using hook = openHook()
    await using place = openPlace()
    const create = await openService(place, hook.url)
    const { accounts } = (await place.run(["accounts", "list", "--json"])).json
    await place.run(["accounts", "create", "--name", "other"])
    const own = place.start(["webhooks", "tail", "--json", "--account", accounts[0].id])
    const other = place.start(["webhooks", "tail", "--json", "--account", "other"])
    const head = place.start(["webhooks", "tail"])
    await until("the head", () => head.out().includes("\n"))
    await until(
      "a document",
      async () => (await create("A")).status === 201 && lines(own).length > 0 && lines(own),
    )
    for (const tail of [own, other]) tail.signal("SIGTERM")
    await Promise.all([own.ended, other.ended])
    expect(JSON.parse(lines(own)[0]!)).toMatchObject({
      account: accounts[0].id,
      event: "lead.created",
      url: hook.url,
      status: "succeeded",
      attempts: 1,
      code: 200,
      error: null,
      next_attempt_at: null,
    })
    expect(other.out()).toBe("")
  })

  test("without a database: says where it looked", async () => {
    await using place = openPlace()
    const { code, err } = await place.run(["webhooks", "tail"])
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("no database at") })
  })
})
