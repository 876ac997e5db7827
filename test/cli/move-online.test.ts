// A file that services go on using while it is moved.
import { describe, expect, test } from "bun:test"
import { MOVED } from "../../src/store/move/tables.ts"
import { FOLLOWED } from "../../src/store/sqlite/file/follow-log.ts"
import { ask } from "../support/ask.ts"
import { hasPostgres, holdTransaction, newDatabase, runOnce, startPostgres } from "../support/postgres.ts"
import { openPlace, type Place, type Running, type Started } from "../support/service.ts"
import { until } from "../support/until.ts"
import { fill, settled, walk } from "./moving/given.ts"

await startPostgres()

/** Copied as they are at the end. */
const AS_A_WHOLE = ["kept_files", "settings"]

test("every table that is moved is followed, by the key of its rows", () => {
  const keys = MOVED.filter(({ name }) => !AS_A_WHOLE.includes(name)).map(({ name, key }) => [name, key])
  expect(FOLLOWED).toEqual(Object.fromEntries(keys))
})

const lead = (name: string) => ({ name, source: "web", email: `${name}@x.example` })

const newKey = async (place: Place, name: string): Promise<string> =>
  (await place.run(["accounts", "create", "--name", name, "--plan", "enterprise", "--json"])).json.api_key

/** Something for the table that moves are paused at. */
const addRule = (service: Running, key: string) =>
  ask(service, key, "POST", "/scoring-rules", { name: "r", expression: "rating", weight: 1, priority: 1 })

/** Lets a move come no further than to a table with rows, until `goOn`. */
async function pause(database: string, lock = "LOCK TABLE scoring_rules IN EXCLUSIVE MODE") {
  const goOn = await holdTransaction(database, lock)
  const isReached = (move: Started) =>
    until(
      () => `the move waits: ${move.err()}`,
      () => /Copying admin_log/.test(move.err()),
    )
  return { isReached, goOn }
}

/** What both tell of an account, but for what they judge anew, and what tells of the move. */
async function told(client: { url: string; key: string }) {
  const answers = await walk(client)
  const { entries } = JSON.parse(answers["/admin-log"]!.slice("200 ".length))
  answers["/admin-log"] = JSON.stringify(
    entries.filter(({ action }: { action: string }) => action !== "database.moved"),
  )
  for (const path of Object.keys(answers).filter((path) => path.startsWith("/duplicates")))
    answers[path] = answers[path]!.replaceAll(
      /"probability":[\d.]+,"reasons":\[.*?\],"a"|"by_probability":\[.*?\]/g,
      "",
    )
  return answers
}

describe.skipIf(!hasPostgres)("leaddb move --online", () => {
  test("carries what is written while it runs, and the file takes no writes afterwards", async () => {
    await using place = openPlace()
    const [first, second, third] = [
      ...[await newKey(place, "first"), await newKey(place, "second"), await newKey(place, "third")],
    ] as [string, string, string]
    const there = await newDatabase()
    const service = await place.serve([], { LEADDB_LOG: "pretty" })
    await fill({ url: service.url, key: first }, 1)
    const paused = await pause(there)
    const move = place.start(["move", "--online", "--to", there])
    await paused.isReached(move)
    await fill({ url: service.url, key: second }, 2)
    // Rows that are copied already change and go.
    const { leads } = (await ask(service, first, "GET", "/leads?limit=30")).body
    for (const [i, { id }] of leads.entries()) {
      if (i % 3 === 0) await ask(service, first, "DELETE", `/leads/${id}`)
      else if (i % 3 === 1)
        await ask(service, first, "PATCH", `/leads/${id}`, { city: "Graz", tags: ["moved"] })
      else await ask(service, first, "POST", `/leads/${id}/notes`, { content: "added meanwhile" })
    }
    const [member] = (await ask(service, first, "GET", "/members")).body
    await ask(service, first, "PATCH", `/members/${member.id}`, { name: "Ada L." })
    for (const key of [first, second]) await settled({ url: service.url, key })
    // Goes on until the file takes nothing any more.
    const kept: string[] = []
    const writing = (async () => {
      for (;;) {
        const { status, headers, body } = await ask(
          service,
          third,
          "POST",
          "/leads",
          lead(Bun.randomUUIDv7()),
        )
        if (status === 201) kept.push(body.id)
        else return { status, code: body.code, isAgain: Number(headers.get("retry-after")) > 0 }
        // As a client does, and no faster than a move on a busy machine.
        await Bun.sleep(20)
      }
    })()
    await paused.goOn()
    const moved = await move.ended
    expect([moved.err.split("\n").filter((line) => line.startsWith("leaddb:")), moved.code]).toEqual([[], 0])
    expect(moved.out).toContain("every row was compared")
    expect(await writing).toEqual({ status: 503, code: "unavailable", isAgain: true })
    const before = [
      await told({ url: service.url, key: first }),
      await told({ url: service.url, key: second }),
    ]
    expect((await fetch(new URL("/readyz", service.url))).status).toBe(503)
    await until("it says so in its log", () => service.out().includes("has been moved to postgres://"))
    service.signal("SIGTERM")
    const lines = (await service.ended).out.split("\n")
    expect(lines.filter((line) => /ERROR|moved/.test(line))).toEqual([
      expect.stringContaining(
        "nothing is written here any more; start leaddb with LEADDB_DATABASE set to it",
      ),
    ])
    expect((await place.run(["check", "--json"])).json.findings).toContainEqual(
      expect.objectContaining({ code: "moved_away" }),
    )
    const again = await place.run(["serve", "--port", "0", "--mcp-port", "0"])
    expect([again.code, again.err]).toEqual([1, expect.stringContaining("has been moved to postgres://")])

    const env = { LEADDB_DATABASE: there }
    const moving = await place.serve([], env)
    for (const key of [first, second]) await settled({ url: moving.url, key })
    expect([
      await told({ url: moving.url, key: first }),
      await told({ url: moving.url, key: second }),
    ]).toEqual(before)
    expect(kept.length).toBeGreaterThan(0)
    const answers = await Promise.all(kept.map((id) => ask(moving, third, "GET", `/leads/${id}`)))
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    expect((await ask(moving, third, "GET", "/stats")).body.total_leads).toBe(kept.length)
    expect((await ask(moving, third, "POST", "/leads", lead("new"))).status).toBe(201)
    expect((await place.run(["check", "--json"], env)).json).toMatchObject({ ok: true })

    expect((await place.run(["move", "--cancel"])).out).toContain("It is in use again")
    const back = await place.serve()
    expect((await ask(back, third, "POST", "/leads", lead("back"))).status).toBe(201)
    expect((await place.run(["check", "--json"])).json).toMatchObject({ ok: true })
  }, 240_000)

  test("begins anew after it was killed, and leaves nothing in a file that is used again", async () => {
    await using place = openPlace()
    const key = await newKey(place, "a")
    const there = await newDatabase()
    const service = await place.serve([], { LEADDB_LOG: "pretty" })
    expect((await addRule(service, key)).status).toBe(201)
    for (const name of ["one", "two", "three"]) await ask(service, key, "POST", "/leads", lead(name))
    const paused = await pause(there)
    const killed = place.start(["move", "--online", "--to", there])
    await paused.isReached(killed)
    const other = await place.run(["move", "--online", "--to", there])
    expect([other.code, other.err]).toEqual([1, expect.stringContaining("being moved by another")])
    killed.signal("SIGKILL")
    await killed.ended
    await paused.goOn()
    await until("the service removes the log", () => service.out().includes("removed what a move had left"))
    const codes = async () =>
      (await place.run(["check", "--json"])).json.findings.map(({ code }: { code: string }) => code)
    expect(await codes()).toEqual([])
    const { id } = (await ask(service, key, "POST", "/leads", lead("four"))).body
    service.signal("SIGKILL")
    await service.ended
    const anew = await pause(there)
    const moving = place.start(["move", "--online", "--to", there])
    await anew.isReached(moving)
    expect(await codes()).toEqual([])
    moving.signal("SIGKILL")
    await moving.ended
    await anew.goOn()
    expect(await codes()).toEqual(["move_left"])
    const again = await place.serve()
    expect(await codes()).toEqual([])
    expect((await place.run(["move", "--cancel"])).out).toContain("nothing to cancel")
    expect((await ask(again, key, "DELETE", `/leads/${id}`)).status).toBe(204)
    // Killed once more where the file is given up, and the database not in use yet.
    const late = await pause(there)
    const handing = place.start(["move", "--online", "--to", there])
    await late.isReached(handing)
    const end = await pause(there, "SELECT 1 FROM settings WHERE name = 'moving_indexes' FOR UPDATE")
    await late.goOn()
    await until("the file is given up", async () => {
      const { status } = await ask(again, key, "POST", "/leads", lead("five"))
      return status === 503
    })
    handing.signal("SIGKILL")
    await handing.ended
    // What it has sent would be done as soon as it may be.
    await runOnce(
      there,
      "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'leaddb alone' AND datname = current_database()",
    )
    await end.goOn()
    const env = { LEADDB_DATABASE: there }
    expect((await place.run(["accounts", "list"], env)).err).toContain("run the same leaddb move again")
    expect(await place.run(["move", "--online", "--to", there, "--json"])).toMatchObject({ code: 0 })
    const moved = await place.serve([], env)
    const { leads } = (await ask(moved, key, "GET", "/leads?sort_by=name")).body
    const names: string[] = leads.map(({ name }: { name: string }) => name).toSorted()
    expect(names.filter((name) => name !== "five")).toEqual(["one", "three", "two"])
  }, 120_000)
})

describe.skipIf(!hasPostgres)("leaddb move beside a service", () => {
  test("is read from meanwhile, and takes no writes from then on", async () => {
    await using place = openPlace()
    const key = await newKey(place, "a")
    const there = await newDatabase()
    const service = await place.serve()
    expect((await addRule(service, key)).status).toBe(201)
    const { id } = (await ask(service, key, "POST", "/leads", lead("one"))).body
    const paused = await pause(there)
    const move = place.start(["move", "--to", there])
    await paused.isReached(move)
    expect((await ask(service, key, "GET", `/leads/${id}`)).body.name).toBe("one")
    await paused.goOn()
    expect(await move.ended).toMatchObject({
      code: 0,
      out: expect.stringContaining("answer writes with 503"),
    })
    const refused = await ask(service, key, "POST", "/leads", lead("two"))
    expect([refused.status, refused.body.code]).toEqual([503, "unavailable"])
    expect((await ask(service, key, "GET", `/leads/${id}`)).status).toBe(200)
    const elsewhere = await place.run(["move", "--to", await newDatabase()])
    expect([elsewhere.code, elsewhere.err]).toEqual([1, expect.stringContaining("has been moved to")])
    const moved = await place.serve([], { LEADDB_DATABASE: there })
    expect((await ask(moved, key, "GET", `/leads/${id}`)).body.name).toBe("one")
  }, 120_000)
})
