import { Database } from "bun:sqlite"
import { afterEach, describe, expect, test } from "bun:test"
import { rmSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { NO_FILTER } from "../../src/filters/lead-query.ts"
import { createIds, systemClock } from "../../src/runtime/clock.ts"
import { openReader, openWriter } from "../../src/store/sqlite/file/connections.ts"
import { migrate } from "../../src/store/sqlite/file/migrations.ts"
import { openSqliteStore } from "../../src/store/sqlite/index.ts"
import {
  HAVING_KEYS,
  SAME_NAME_AND_CITY,
  SAME_NUMBER,
  SAME_PHONE,
  SAME_PHONE_AND_NAME,
} from "../../src/store/sqlite/lead-reads.ts"
import { inAnotherProcess } from "../support/child.ts"
import { heldClock } from "../support/clock.ts"
import { writeEmptyDatabase } from "../support/empty-database.ts"
import { temporaryFolder } from "../support/folder.ts"
import { words } from "../support/words.ts"
import { storeContract } from "./contract.ts"
import { accountIn, leadData } from "./given.ts"

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

function newFile(...path: string[]): string {
  const folder = temporaryFolder()
  folders.push(folder)
  return join(folder, ...path, "leads.db")
}

const openFile = (file: string) => openSqliteStore(file, createIds(systemClock))

describe("SQLite as a store", () => {
  storeContract(async () => openFile(writeEmptyDatabase(newFile())))
})

describe("a file", () => {
  test("is made with its folder, for its owner's eyes alone", async () => {
    const file = newFile("a", "b")
    const store = openFile(file)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700)
    await store.close()
  })

  test("is written in WAL mode with every commit on disk before it is answered", async () => {
    const db = openWriter(newFile())
    const pragma = (name: string) => Object.values(db.query(`PRAGMA ${name}`).get() as object)[0]
    expect([pragma("journal_mode"), pragma("synchronous"), pragma("foreign_keys")]).toEqual(["wal", 2, 1])
    db.close()
  })

  test("the reading connection cannot write", async () => {
    const file = newFile()
    openWriter(file).close()
    const db = openReader(file)
    expect(() => db.run("DELETE FROM accounts")).toThrow(/readonly|read-only/)
    db.close()
  })

  test("keeps its secret, and another file has another", async () => {
    const file = newFile()
    const secrets: Uint8Array[] = []
    for (const path of [file, file, newFile()]) {
      const store = openFile(path)
      secrets.push(store.secret)
      await store.close()
    }
    expect(secrets[0]).toHaveLength(32)
    expect(secrets[1]).toEqual(secrets[0]!)
    expect(secrets[2]).not.toEqual(secrets[0]!)
  })

  test("leaves nothing of a removed lead behind but its trail", async () => {
    const file = newFile()
    const store = openFile(file)
    const lead = leadData({
      email: "a@x.y",
      tags: ["t"],
      latitude: 1,
      longitude: 1,
      attributes: [{ id: "1", name: "x", type: "list", value: ["a", "b"] }],
    })
    const account = await accountIn(store)
    const row = await store.writeAcross((tx) => tx.leads.insert(account, lead, 5))
    await store.writeAcross(async (tx) => {
      const note = {
        id: "note_1",
        lead_id: lead.id,
        content: "x",
        author: "Eva",
        created_at: 0,
        updated_at: 0,
      }
      await tx.notes.insert(account, row, note)
      await tx.leads.remove(account, row, lead)
    })
    await store.close()
    const db = new Database(file, { readonly: true })
    for (const table of words(`
      leads lead_documents lead_scores lead_tags lead_attributes lead_contacts lead_locations notes
    `)) {
      const { n } = db.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()!
      expect([table, n]).toEqual([table, 0])
    }
    db.close()
  })
})

describe("two processes on one file", () => {
  test("that open it for the first time at once both succeed", async () => {
    const file = newFile()
    await Promise.all(
      Array.from({ length: 4 }, (_, i) =>
        inAnotherProcess(
          file,
          "await store.writeAcross((tx) => tx.accounts.insert({ id: input, name: input, plan: 'free', created_at: 0 }))",
          `acc_${i}`,
        ),
      ),
    )
    const store = openFile(file)
    expect(await store.read.accounts.list()).toHaveLength(4)
    await store.close()
  })

  test("that write at the same time lose nothing and keep ids in the order of commits", async () => {
    const file = newFile()
    const store = openFile(file)
    const account = await accountIn(store)
    const template = leadData()
    const child = inAnotherProcess(
      file,
      `for (let i = 0; i < 40; i++) {
        await store.writeAcross((tx) => tx.leads.insert(${account}, { ...input, id: tx.newId("cl_"), name: "child" + i }, 0))
      }`,
      template,
    )
    let running = true
    child.finally(() => {
      running = false
    })
    let own = 0
    while (running) {
      const name = `own${own++}`
      await store.writeAcross((tx) => tx.leads.insert(account, leadData({ id: tx.newId("cl_"), name }), 0))
    }
    await child
    expect(await store.read.leads.count(account, NO_FILTER)).toBe(40 + own)
    expect(await store.read.accounts.countLeads(account)).toBe(40 + own)
    const db = new Database(file, { readonly: true })
    const ids = db
      .query<{ id: string }, []>("SELECT id FROM leads ORDER BY rid")
      .all()
      .map(({ id }) => id)
    db.close()
    expect(ids).toEqual(ids.toSorted())
    await store.close()
  })

  test("of which one has a clock that is behind keep ids in the order of commits", async () => {
    const file = newFile()
    const clock = heldClock()
    const behind = openSqliteStore(file, createIds(clock))
    clock.jump(3_600_000)
    const ahead = openSqliteStore(file, createIds(clock))
    const account = await accountIn(ahead)
    const ids: string[] = []
    for (const [store, move] of [
      [behind, -3_600_000],
      [ahead, 3_600_000],
      [behind, -3_600_000],
      [behind, 0],
      [ahead, 3_600_000],
    ] as const) {
      clock.jump(move)
      const lead = await store.writeAcross(async (tx) => {
        const made = leadData({ id: tx.newId("cl_") })
        await tx.leads.insert(account, made, 0)
        return made
      })
      ids.push(lead.id)
    }
    expect(ids).toEqual(ids.toSorted())
    await behind.close()
    await ahead.close()
  })
})

describe("leads that a pushed one may repeat", () => {
  test.each([
    ["phone", SAME_PHONE],
    ["phone number", SAME_NUMBER],
    ["phone and name", SAME_PHONE_AND_NAME],
    ["name and city", SAME_NAME_AND_CITY],
  ])("are looked up by %s in the index that has it, and in no other", (_, sql) => {
    const db = new Database(":memory:", { strict: true })
    migrate(db)
    const steps = db
      .query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql.replaceAll(/\?\d?/g, "1")}`)
      .all()
    const said = steps.map(({ detail }) => detail).join("\n")
    expect(said).toMatch(/USING (COVERING )?INDEX leads_(phone|name)/)
    expect(said).not.toMatch(/SCAN leads|INDEX leads_id/)
    db.close()
  })

  test("are looked up by each key in an index when there are many", () => {
    const db = new Database(":memory:", { strict: true })
    migrate(db)
    const steps = db.query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${HAVING_KEYS}`).all()
    const looks = steps.flatMap(({ detail }) => /SEARCH \w+ .*/.exec(detail) ?? [])
    expect(looks.map((look) => look.replace(/ USING (COVERING INDEX|INDEX|PRIMARY KEY)/, ""))).toEqual([
      "SEARCH leads leads_email (account_id=? AND email=?)",
      "SEARCH leads leads_source_id (account_id=? AND source_id_exact=?)",
      "SEARCH leads leads_phone_key (account_id=? AND phone_key=?)",
      "SEARCH leads leads_phone_number (account_id=? AND phone_number=?)",
      "SEARCH leads leads_name_city (account_id=? AND name=? AND city=?)",
      "SEARCH lead_aliases (account_id=? AND kind=? AND value=?)",
      "SEARCH lead_aliases (account_id=? AND kind=? AND value=?)",
      "SEARCH lead_contacts lead_contacts_text (account_id=?)",
      "SEARCH lead_contacts lead_contacts_text (account_id=? AND kind=? AND text=?)",
      "SEARCH lead_contacts lead_contacts_key (account_id=? AND key=?)",
      "SEARCH lead_contacts lead_contacts_number (account_id=? AND number=?)",
    ])
    db.close()
  })
})
