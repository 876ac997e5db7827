import { describe, expect, test } from "bun:test"
import { existsSync, mkdirSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { allCompared } from "../../scripts/bench/duplicates/compared.ts"
import { generateLeads } from "../../scripts/seed/leads.ts"
import { SORT_FIELDS } from "../../src/domain/leads/list/list.ts"
import { emptyDatabase, hasPostgres, newDatabase, runOnce, startPostgres } from "../support/postgres.ts"
import { openPlace, type Place } from "../support/service.ts"
import { fill, settled, walk } from "./moving/given.ts"

await startPostgres()

interface Keys {
  first: string
  second: string
}

async function accountsIn(place: Place, env: Record<string, string>): Promise<Keys> {
  const make = async (name: string): Promise<string> =>
    (await place.run(["accounts", "create", "--name", name, "--plan", "enterprise", "--json"], env)).json
      .api_key
  return { first: await make("first"), second: await make("second") }
}

/** Two accounts with a little of everything; the service is stopped again. */
async function filled(place: Place, env: Record<string, string> = {}): Promise<Keys> {
  const keys = await accountsIn(place, env)
  const service = await place.serve([], env)
  for (const [i, key] of Object.values(keys).entries()) await fill({ url: service.url, key }, i + 1)
  for (const key of Object.values(keys)) await settled({ url: service.url, key })
  await service.stop()
  return keys
}

/** What both accounts are told of themselves. */
const JUDGED = /"probability":[\d.]+,"reasons":\[.*?\],"a"|"by_probability":\[.*?\]/g

async function told(place: Place, keys: Keys, env: Record<string, string>, args: string[] = []) {
  const service = await place.serve(args, env)
  for (const key of Object.values(keys)) await settled({ url: service.url, key })
  const answers = [
    await walk({ url: service.url, key: keys.first }),
    await walk({ url: service.url, key: keys.second }),
  ]
  await service.stop()
  // The move itself is told of where it went.
  for (const all of answers) {
    const { entries } = JSON.parse(all["/admin-log"]!.slice("200 ".length))
    const others = entries.filter(({ action }: { action: string }) => action !== "database.moved")
    all["/admin-log"] = JSON.stringify(others)
    // Open pairs are judged anew behind a move, by the counts of all leads at that time.
    for (const path of Object.keys(all).filter((path) => path.startsWith("/duplicates"))) {
      all[path] = all[path]!.replaceAll(JUDGED, "")
    }
  }
  return answers
}

/** Asks a service that runs for as long as it takes. */
async function asking<T>(
  place: Place,
  [env, args]: [Record<string, string>, string[]],
  work: (
    get: (path: string, key: string) => Promise<{ status: number; body: Page }>,
    url: string,
  ) => Promise<T>,
): Promise<T> {
  const service = await place.serve(args, env)
  try {
    return await work(async (path, key) => {
      return service.call("GET", path, undefined, { "X-API-Key": key })
    }, service.url)
  } finally {
    await service.stop()
  }
}

/** What keeps the rows of a database right and quick to find: a move makes it again at its end. */
const structureOf = (database: string) =>
  runOnce(
    database,
    `SELECT indexdef AS text FROM pg_indexes WHERE schemaname = 'public' UNION ALL
     SELECT conrelid::regclass || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
       WHERE connamespace = 'public'::regnamespace ORDER BY 1`,
  )

interface Page {
  next_cursor?: string
  code?: string
  leads?: { id: string }[]
}

const LISTS = [
  ...[...SORT_FIELDS, "attr:seats"].map(
    (field, i) => `/leads?limit=2&sort_by=${field}&sort_order=${i % 2 === 0 ? "ASC" : "DESC"}`,
  ),
  ...["/leads?limit=2&q=roma", "/leads?limit=2&filter=and.contains.name.a", "/duplicates?limit=1"],
]

/** Three leads that are duplicates of each other, and others. */
async function fillLists({ url, key }: { url: string; key: string }, seed: number): Promise<void> {
  const twins = ["Trattoria Da Nino", "Trattoria da Nino Srl", "Da Nino Trattoria"].map((name, i) => ({
    ...{ name, source: "twins", city: "Roma", address: "Via Appia 12", website: "https://danino.example" },
    attributes: [{ name: "seats", type: "number", value: i }],
  }))
  const answer = await fetch(`${url}/leads/batch`, {
    method: "POST",
    headers: { "X-API-Key": key, "Content-Type": "application/json" },
    body: JSON.stringify({ leads: [...generateLeads(9, seed), ...twins] }),
  })
  expect(answer.status).toBe(201)
  await allCompared(async (_, path) => {
    const status = await fetch(`${url}${path}`, { headers: { "X-API-Key": key } })
    return status.json()
  })
}

/** What the second pages of lists are asked with, of both accounts. They answer, and leads come once. */
function cursorsOf(
  place: Place,
  keys: Keys,
  env: Record<string, string>,
  args: string[] = [],
): Promise<[path: string, key: string][]> {
  return asking(place, [env, args], async (get) => {
    const second: [string, string][] = []
    for (const key of Object.values(keys) as string[])
      for (const path of LISTS) {
        const first = (await get(path, key)).body
        expect([path, first.next_cursor]).toEqual([path, expect.any(String)])
        const next = `${path}&cursor=${first.next_cursor}`
        const page = await get(next, key)
        const ids = [first, page.body].flatMap(({ leads = [] }) => leads.map(({ id }) => id))
        expect([path, page.status, new Set(ids).size]).toEqual([path, 200, ids.length])
        second.push([next, key])
      }
    return second
  })
}

/** Lists whose places are the same in each engine. */
const GO_ON = [
  ...["/changes?limit=2", "/changes?limit=2&order=asc", "/changes?limit=2&view=full"],
  ...["/companies?limit=1", "/admin-log?limit=1"],
]

type Asked = [path: string, key: string, page: Page]

/** The second pages of such lists. */
function goingOn(place: Place, keys: Keys, env: Record<string, string>): Promise<Asked[]> {
  return asking(place, [env, []], async (get) => {
    const asked: Asked[] = []
    for (const key of Object.values(keys) as string[])
      for (const path of GO_ON) {
        const { next_cursor } = (await get(path, key)).body
        expect([path, next_cursor]).toEqual([path, expect.any(String)])
        const next = `${path}&cursor=${next_cursor}`
        asked.push([next, key, (await get(next, key)).body])
      }
    return asked
  })
}

const expectSame = (place: Place, asked: Asked[], env: Record<string, string>, args: string[] = []) =>
  asking(place, [env, args], async (get) => {
    for (const [path, key, page] of asked) expect([path, (await get(path, key)).body]).toEqual([path, page])
  })

async function expectExpired(
  place: Place,
  asked: [path: string, key: string][],
  env: Record<string, string>,
  args: string[] = [],
): Promise<void> {
  await asking(place, [env, args], async (get) => {
    for (const [path, key] of asked) {
      const { status, body } = await get(path, key)
      expect([path, status, body.code]).toEqual([path, 410, "cursor_expired"])
    }
  })
}

describe.skipIf(!hasPostgres)("leaddb move", () => {
  test("carries everything to PostgreSQL and back: every answer is the same, to the byte", async () => {
    await using place = openPlace()
    const keys = await filled(place)
    const before = await told(place, keys, {})
    const there = await emptyDatabase()
    const moved = await place.run(["move", "--to", there])
    expect([moved.err.split("\n").at(-2), moved.code]).toEqual(["Making indexes", 0])
    expect(moved.out).toContain("every row was compared")
    const left = readdirSync(join(place.folder, "data")).filter((name) => name.startsWith("leads.db"))
    expect(left).toEqual(["leads.db"])
    expect(await structureOf(there)).toEqual(await structureOf(await newDatabase()))
    const env = { LEADDB_DATABASE: there }
    const entries = async (env?: Record<string, string>) =>
      (
        await place.run(["log", "--deleted", "--json", ...(env ? [] : ["--data", "back"])], env)
      ).json.entries.filter(({ action }: { action: string }) => action === "database.moved")
    const noted = {
      ...{ key_id: null, actor_id: null, target_id: null, created_at: expect.any(Number) },
      details: { from: join(place.folder, "data/leads.db"), rows: expect.any(Number) },
    }
    expect(await entries(env)).toMatchObject([noted])
    expect(await told(place, keys, env)).toEqual(before)
    const file = join(place.folder, "back", "leads.db")
    const returned = await place.run(["move", "--to", file, "--json"], env)
    expect([returned.err, returned.code]).toEqual(["", 0])
    const { host, pathname } = new URL(there)
    const back = { ...noted, details: { ...noted.details, from: `postgres://${host}${pathname}` } }
    expect(await entries()).toMatchObject([back, noted])
    expect(await told(place, keys, {}, ["--data", join(place.folder, "back")])).toEqual(before)
    expect((await place.run(["check", "--data", "back", "--json"])).json).toMatchObject({
      ok: true,
    })
  }, 240_000)

  test("carries to a file what has begun in PostgreSQL, where accounts number their leads alike", async () => {
    await using place = openPlace()
    const env = { LEADDB_DATABASE: await newDatabase() }
    const keys = await filled(place, env)
    const before = await told(place, keys, env)
    const moved = await place.run(["move", "--to", "back/leads.db"], env)
    expect([moved.err.split("\n").at(-2), moved.code]).toEqual(["Making indexes", 0])
    const here = ["--data", "back"]
    expect(await told(place, keys, {}, here)).toEqual(before)
    expect((await place.run(["check", ...here, "--json"])).json).toMatchObject({ ok: true })
  }, 240_000)

  test("ends cursors of lists of leads in each direction, and others go on", async () => {
    await using place = openPlace()
    const env = { LEADDB_DATABASE: await newDatabase() }
    const keys = await accountsIn(place, env)
    await asking(place, [env, []], async (_, url) => {
      for (const [i, key] of Object.values(keys).entries()) await fillLists({ url, key }, i)
    })
    const old = await cursorsOf(place, keys, env)
    const others = await goingOn(place, keys, env)
    expect(await place.run(["move", "--to", "back/leads.db"], env)).toMatchObject({ code: 0 })
    const here = ["--data", "back"]
    await expectExpired(place, old, {}, here)
    await expectSame(place, others, {}, here)
    const ofFile = await cursorsOf(place, keys, {}, here)
    const again = await emptyDatabase()
    expect(await place.run(["move", ...here, "--to", again])).toMatchObject({ code: 0 })
    await expectExpired(place, [...old, ...ofFile], { LEADDB_DATABASE: again })
    await expectSame(place, others, { LEADDB_DATABASE: again })
    await cursorsOf(place, keys, { LEADDB_DATABASE: again })
  }, 240_000)

  test("goes on after a kill at any point, and a service does not start on what is half full", async () => {
    await using place = openPlace()
    const keys = await filled(place)
    const before = await told(place, keys, {})
    const there = await emptyDatabase()
    const env = { LEADDB_DATABASE: there }
    for (const at of [
      "Copying notes",
      "Copying lead_tags",
      "Copying settings",
      "Comparing trail",
      "Making indexes",
    ]) {
      const killed = place.start(["move", "--to", there])
      await killed.says(RegExp(at))
      expect(killed.err()).toContain(at)
      killed.signal("SIGKILL")
      await killed.ended
      const service = await place.run(["accounts", "list"], env)
      if (service.code !== 0) expect(service.err).toContain("run the same leaddb move again")
    }
    expect(await place.run(["move", "--to", there])).toMatchObject({ code: 0 })
    expect(await told(place, keys, env)).toEqual(before)
    for (const at of ["Copying leads", "Copying trail", "Comparing accounts"]) {
      const killed = place.start(["move", "--to", "back/leads.db"], env)
      await killed.says(RegExp(at))
      expect(killed.err()).toContain(at)
      killed.signal("SIGKILL")
      await killed.ended
      expect(existsSync(join(place.folder, "back/leads.db"))).toBe(false)
    }
    expect(await place.run(["move", "--to", "back/leads.db"], env)).toMatchObject({ code: 0 })
    expect(await told(place, keys, {}, ["--data", "back"])).toEqual(before)
  }, 360_000)

  test("says what is wrong with a place, and touches nothing", async () => {
    await using place = openPlace()
    await place.run(["accounts", "create", "--name", "a", "--json"])
    const full = await newDatabase()
    await place.run(["accounts", "create", "--name", "b"], { LEADDB_DATABASE: full })
    mkdirSync(join(place.folder, "folder"))
    const refused: [to: string, env: Record<string, string>, code: number, message: string][] = [
      ["other.db", {}, 2, "--to must be postgres://... since LEADDB_DATABASE is not set"],
      [full, { LEADDB_DATABASE: full }, 2, "pg_dump and pg_restore carry one to the other"],
      [full, {}, 1, "holds an account: a move needs an empty database"],
      ["folder", { LEADDB_DATABASE: full }, 1, "is a folder: name the file"],
      ["data/leads.db", { LEADDB_DATABASE: full }, 1, "exists: name a file that does not"],
      ["new.db", { LEADDB_DATABASE: await emptyDatabase() }, 1, "holds no leaddb"],
    ]
    for (const [to, env, code, message] of refused) {
      const answer = await place.run(["move", "--to", to], env)
      expect([to, answer.code, answer.err]).toEqual([to, code, expect.stringContaining(message)])
    }
    expect((await place.run(["move"])).err).toContain("--to PLACE is required")
  }, 120_000)
})
