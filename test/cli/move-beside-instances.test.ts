// A PostgreSQL database that instances go on reading from while it is moved to a file.
import { describe, expect, test } from "bun:test"
import { ask } from "../support/ask.ts"
import { openHook } from "../support/hook.ts"
import { hasPostgres, holdTransaction, newDatabase, startPostgres } from "../support/postgres.ts"
import { openPlace, type Running } from "../support/service.ts"
import { until } from "../support/until.ts"

await startPostgres()

const lead = (name: string) => ({ name, source: "web", email: `${name}@x.example` })

const readiness = async (service: Running) => (await fetch(new URL("/readyz", service.url))).status

/** A transaction that the move waits for when it has begun to hold the database: in a table that few write to. */
const transactionUnderWay = (database: string) =>
  holdTransaction(database, "LOCK TABLE import_mappings IN ROW EXCLUSIVE MODE")

/** Writes lead after lead until it is stopped. */
function startWriter(service: Running, key: string) {
  const kept: string[] = []
  let last: Awaited<ReturnType<typeof ask>> | undefined
  let isOver = false
  const writing = (async () => {
    while (!isOver) {
      last = await ask(service, key, "POST", "/leads", lead(Bun.randomUUIDv7()))
      if (last.status === 201) kept.push(last.body.id)
      else if (last.body.code !== "unavailable") throw new Error(JSON.stringify(last))
      await Bun.sleep(5)
    }
  })()
  writing.catch(() => undefined)
  return {
    kept,
    refused: (why: string) =>
      until(
        () => `writes are refused with ${why}: ${JSON.stringify(last)}`,
        () =>
          last?.status === 503 &&
          Number(last.headers.get("retry-after")) > 0 &&
          last.body.message.includes(why),
      ),
    goesOn(): Promise<unknown> {
      const before = kept.length
      return until("writes go on", () => kept.length > before + 5)
    },
    stop(): Promise<void> {
      isOver = true
      return writing
    },
  }
}

describe.skipIf(!hasPostgres)("leaddb move beside instances", () => {
  test("is read from meanwhile, loses nothing, and takes no writes from then on", async () => {
    await using place = openPlace()
    await using hook = openHook()
    const env = {
      LEADDB_DATABASE: await newDatabase(),
      LEADDB_WEBHOOK_PRIVATE: "allow",
      LEADDB_LOG: "pretty",
    }
    const args = ["accounts", "create", "--name", "a", "--plan", "enterprise", "--json"]
    const key: string = (await place.run(args, env)).json.api_key
    const services = [
      await place.serve(["--data", "one"], env),
      await place.serve(["--data", "two"], env),
    ] as const
    const { id } = (await ask(services[0], key, "POST", "/leads", lead("first"))).body
    await ask(services[0], key, "POST", "/webhooks", { url: hook.url, events: ["lead.created"] })
    const writers = services.map((service) => startWriter(service, key))
    const target = "back/leads.db"

    // A move that is killed lets go.
    const endFirst = await transactionUnderWay(env.LEADDB_DATABASE)
    const killed = place.start(["move", "--to", target], env)
    for (const writer of writers) await writer.refused("is being moved")
    killed.signal("SIGKILL")
    await killed.ended
    await endFirst()
    for (const writer of writers) await writer.goesOn()

    const endSecond = await transactionUnderWay(env.LEADDB_DATABASE)
    const move = place.start(["move", "--to", target], env)
    for (const [i, service] of services.entries()) {
      await writers[i]!.refused("is being moved")
      expect((await ask(service, key, "GET", `/leads/${id}`)).body.name).toBe("first")
      expect((await ask(service, key, "GET", "/leads?q=first")).body.leads).toHaveLength(1)
      expect(await readiness(service)).toBe(200)
    }
    const other = await place.run(["move", "--to", "other/leads.db"], env)
    expect([other.code, other.err]).toEqual([
      1,
      expect.stringContaining("being moved by another leaddb move"),
    ])
    await endSecond()
    const moved = await move.ended
    expect([moved.err.split("\n").filter((line) => line.startsWith("leaddb:")), moved.code]).toEqual([[], 0])
    expect(moved.out).toContain("go on reading, and answer writes with 503")

    for (const [i, service] of services.entries()) {
      await writers[i]!.refused("has been moved")
      expect((await ask(service, key, "GET", `/leads/${id}`)).body.name).toBe("first")
      await until("it says so in its log", () => service.out().includes("has been moved to"))
    }
    await Promise.all(writers.map((writer) => writer.stop()))
    const kept = writers.flatMap((writer) => writer.kept)
    for (const service of services) {
      const lines = service.out().split("\n")
      expect(lines.filter((line) => line.includes("has been moved to"))).toHaveLength(1)
      expect(lines.filter((line) => /ERROR/.test(line))).toEqual([])
      service.signal("SIGTERM")
      await service.ended
    }
    const again = await place.run(["serve", "--port", "0", "--mcp-port", "0"], env)
    expect([again.code, again.err]).toEqual([1, expect.stringMatching(/it has been moved to .*leads\.db/)])

    const file = await place.serve(["--data", "back"], { LEADDB_WEBHOOK_PRIVATE: "allow" })
    const answers = await Promise.all(kept.map((id) => ask(file, key, "GET", `/leads/${id}`)))
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    expect((await ask(file, key, "GET", "/stats")).body.total_leads).toBe(kept.length + 1)
    expect((await ask(file, key, "POST", "/leads", lead("there"))).status).toBe(201)

    expect((await place.run(["move", "--cancel"], env)).out).toContain("in use again")
    const back = await place.serve(["--data", "one"], env)
    expect((await ask(back, key, "POST", "/leads", lead("here"))).status).toBe(201)
    expect((await place.run(["check", "--json"], env)).json).toMatchObject({ ok: true })
  }, 240_000)
})
