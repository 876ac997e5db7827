// A file whose trail an older version wrote, as chunks and in part as whole leads: `older/trail-chunks.db.gz`, and beside
// it what that version told of all its changes.
import { Database } from "bun:sqlite"
import { describe, expect, onTestFinished, test } from "bun:test"
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { withLists } from "../../src/lead/contacts.ts"
import type { Lead } from "../../src/lead/lead.ts"
import { LEAD_FIELD_NAMES, leadField } from "../../src/lead/lead-fields.ts"
import { createIds, systemClock } from "../../src/runtime/clock.ts"
import type { DiffChange, FullChange, Note, PushedFields, Store } from "../../src/store/contract/store.ts"
import { MIGRATIONS, migrate } from "../../src/store/sqlite/file/migrations.ts"
import { openSqliteStore } from "../../src/store/sqlite/index.ts"
import { convertTrail } from "../../src/store/sqlite/trail/convert.ts"
import { temporaryFolder } from "../support/folder.ts"

type Told = FullChange & { pushed?: PushedFields; notes?: Note[]; contacted?: number }
interface Expected {
  leads: Record<string, { account: number; changes: Told[] }>
  /** By account, in the order of the trail. */
  diffs: Record<string, DiffChange[]>
}

const older = (name: string) => new Uint8Array(readFileSync(join(import.meta.dirname, "older", name)))
const expected: Expected = JSON.parse(Buffer.from(Bun.gunzipSync(older("trail-chunks.json.gz"))).toString())
/** Migrations that the older version knew, and the shape of its leads. */
const OLDER = 22
const OLDER_SHAPE = 2

/** Fields that leads got since: null in what an older version recorded, whose leads have no lists of contacts. */
const LATER_FIELDS = Object.fromEntries(
  LEAD_FIELD_NAMES.filter((name) => (leadField(name).since ?? 1) > OLDER_SHAPE).map((name) => [name, null]),
)
const withLaterFields = (state: Lead | null): Lead | null => state && { ...withLists(state), ...LATER_FIELDS }
const asToldToday = (change: Told): Told => ({
  ...change,
  before: withLaterFields(change.before),
  after: withLaterFields(change.after),
})

function olderFile(): string {
  const file = join(temporaryFolder(), "leads.db")
  writeFileSync(file, Bun.gunzipSync(older("trail-chunks.db.gz")))
  onTestFinished(() => rmSync(dirname(file), { recursive: true }))
  return file
}

function open(file: string): Store {
  const store = openSqliteStore(file, createIds(systemClock))
  onTestFinished(() => store.close())
  return store
}

/** Without what is worked out of other fields: the older version did not show it. */
function stored(state: Lead | null): Lead | null {
  if (!state) return null
  const { last_touched_at: _, ...rest } = state
  return rest as Lead
}

async function told({ read }: Store, account: number, leadId: string): Promise<Told[]> {
  const changes = await read.changes.list(account, leadId, 1_000)
  return Promise.all(
    changes.map(async (change) => {
      const pushed = await read.changes.pushedOf(account, leadId, change.position)
      const { notes, contacted_at: contacted } = await read.changes.leftBy(account, change.position)
      return {
        ...change,
        before: stored(change.before),
        after: stored(change.after),
        ...(pushed && { pushed }),
        ...(notes.length > 0 && { notes }),
        ...(contacted !== null && { contacted }),
      }
    }),
  )
}

async function diffsOf({ read }: Store, account: number): Promise<DiffChange[]> {
  const all: DiffChange[] = []
  for (let after: number | undefined, more = true; more; ) {
    const page = await read.changes.diffs(account, { filter: {}, descending: false, after, limit: 70 })
    all.push(...page.changes)
    ;({ position: after, more } = page)
  }
  return all
}

async function expectAll(store: Store): Promise<void> {
  for (const [id, { account, changes }] of Object.entries(expected.leads))
    expect(await told(store, account, id)).toEqual(changes.map(asToldToday))
  for (const [account, diffs] of Object.entries(expected.diffs))
    expect(await diffsOf(store, Number(account))).toEqual(diffs)
}

describe("the trail of an older version", () => {
  test("tells the same as rows, and goes on from there", async () => {
    const store = open(olderFile())
    await expectAll(store)
    const [id, { account, changes }] = Object.entries(expected.leads).find(
      ([, one]) => one.changes[0]!.after !== null,
    )!
    const row = (await store.read.leads.find(account, id))!
    const before = { data: row.data(), score: row.score }
    const after = { data: { ...before.data, city: "later" }, score: 77 }
    await store.write(account, async (tx) => {
      await tx.leads.replace(account, row, before.data, after.data, 77)
      const who = { reason: null, actor_id: "a", key_id: null, created_at: 2_000_000_000 }
      await tx.changes.record(account, { lead_id: id, action: "updated", before, after, ...who })
    })
    const [newest, ...others] = await told(store, account, id)
    expect(newest).toMatchObject({ before: { score: before.score }, after: { city: "later", score: 77 } })
    expect(others).toEqual(changes.map(asToldToday))
  })

  test("leaves nothing behind of what it was kept as", () => {
    const file = olderFile()
    using db = new Database(file)
    migrate(db)
    const tables = db.query("SELECT name FROM sqlite_schema WHERE name LIKE '%chunk%' OR name = 'changes'")
    expect(tables.all()).toEqual([])
    expect(db.query("SELECT count(*) AS n FROM trail").get()).toEqual({
      n: Object.values(expected.leads).reduce((n, { changes }) => n + changes.length, 0),
    })
  })

  test("is as it was where the conversion is undone, at whichever change", async () => {
    const file = olderFile()
    const rows = Object.values(expected.diffs).reduce((n, diffs) => n + diffs.length, 0)
    const at = (db: Database) => db.query("SELECT count(*) AS n FROM trail").get()
    using db = new Database(file)
    const asItWas = at(db)
    for (const end of [0, 1, Math.floor(rows / 2), rows]) {
      let left = end
      const failing = MIGRATIONS.with(OLDER, {
        ...MIGRATIONS[OLDER]!,
        work(db) {
          failAfter(db, () => left-- === 0)
          convertTrail(db)
          throw new Error("ended behind the last change")
        },
      })
      expect(() => migrate(db, failing)).toThrow("ended")
      expect(db.query("PRAGMA user_version").get()).toEqual({ user_version: OLDER })
      expect(at(db)).toEqual(asItWas)
    }
    db.close()
    await expectAll(open(file))
  })

  test("is converted whole at the next start when the process is killed meanwhile", async () => {
    const file = olderFile()
    const size = statSync(file).size
    const child = Bun.spawn({
      cmd: [process.execPath, join(import.meta.dirname, "..", "support", "endless-conversion.ts"), file],
      stdout: "pipe",
    })
    const reader = child.stdout.getReader()
    // The process says so when rows of the new trail are in the file's log, and goes on without end.
    expect(Buffer.from((await reader.read()).value!).toString()).toBe("converting\n")
    child.kill("SIGKILL")
    await child.exited
    expect(statSync(file).size).toBe(size)
    await expectAll(open(file))
  })
})

/** Makes the insert of a row of the trail throw where it is said so. */
function failAfter(db: Database, isEnd: () => boolean): void {
  const query = db.query.bind(db)
  db.query = ((sql: string) => {
    const statement = query(sql)
    if (!sql.startsWith("INSERT INTO trail_made (")) return statement
    return {
      run(...values: never[]) {
        if (isEnd()) throw new Error("ended in the middle")
        return statement.run(...values)
      },
    }
  }) as typeof db.query
  onTestFinished(() => {
    db.query = query
  })
}
