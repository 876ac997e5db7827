import { describe, expect, test } from "bun:test"
import { audit, unexplained } from "../../scripts/torture/isolation/audit.ts"
import { words } from "../support/words.ts"

describe("the audit of statements", () => {
  const tables = new Set(
    words(`
    accounts leads lead_documents notes webhooks deliveries lead_locations trail trail_names
  `),
  )
  const tablesIn = (sql: string) => audit([sql], tables).map(({ table }) => table)

  test.each<[string, string[]]>([
    ["SELECT * FROM leads WHERE account_id = +? AND id = +?", []],
    ["SELECT * FROM leads WHERE id = +?", ["leads"]],
    ["SELECT * FROM leads l WHERE l.account_id = ? OR l.id = ?", ["leads"]],
    ["SELECT * FROM leads l WHERE (l.account_id = ? AND (l.name = ? OR l.city = ?))", []],
    ["SELECT * FROM leads l WHERE (?1 IS NULL OR l.account_id = ?1)", ["leads"]],
    ["SELECT d.data FROM leads l JOIN lead_documents d ON d.rid = l.rid WHERE l.account_id = ?", []],
    [
      "SELECT d.data FROM leads l JOIN lead_documents d ON d.rid = l.rid WHERE l.id = ?",
      ["leads", "lead_documents"],
    ],
    ["SELECT d.data FROM leads l, lead_documents d WHERE l.account_id = ?", ["lead_documents"]],
    [
      "SELECT l.name FROM (SELECT value AS rid FROM json_each(?)) q JOIN notes n ON n.lead_rid = q.rid JOIN leads l ON l.rid = q.rid WHERE n.account_id = ?",
      [],
    ],
    [
      "SELECT l.name FROM (SELECT value AS rid FROM json_each(?)) q JOIN notes n ON n.lead_rid = q.rid JOIN leads l ON l.rid = q.rid",
      ["notes", "leads"],
    ],
    ["SELECT id FROM notes WHERE account_id + 0 = ?", []],
    ["SELECT data FROM lead_documents WHERE rid IN (SELECT rid FROM leads WHERE account_id = ?)", []],
    ["SELECT data FROM lead_documents WHERE rid IN (SELECT rid FROM leads WHERE name = ?)", ["leads"]],
    [
      "SELECT 1 FROM leads l WHERE l.account_id = ? AND EXISTS (SELECT 1 FROM notes n WHERE n.lead_rid = l.rid)",
      [],
    ],
    [
      "SELECT 1 FROM leads l WHERE l.account_id = ? AND EXISTS (SELECT 1 FROM notes n WHERE n.id = ?)",
      ["notes"],
    ],
    ["SELECT rid FROM leads WHERE account_id = ? UNION ALL SELECT rid FROM leads", ["leads"]],
    ["WITH q (rid) AS (SELECT rid FROM leads) SELECT * FROM q", ["leads"]],
    ["SELECT p.k FROM (SELECT l.rid, l.name AS k FROM leads l WHERE l.account_id = ?) p", []],
    ['update "notes" set "content" = ? where ("notes"."account_id" = ? and "notes"."id" = ?)', []],
    ['update "notes" set "content" = ? where "notes"."id" = ?', ["notes"]],
    ["DELETE FROM notes WHERE lead_rid = ?", ["notes"]],
    ["INSERT INTO notes (account_id, id) VALUES (?, ?)", []],
    ["INSERT INTO notes (id) VALUES (?)", ["notes"]],
    ["INSERT INTO deliveries (account_id, id) SELECT account_id, ? FROM webhooks WHERE id = ?", ["webhooks"]],
    ["SELECT rid FROM lead_locations WHERE account_low <= ? AND account_high >= ? AND latitude_low <= ?", []],
    ["SELECT rid FROM lead_locations WHERE latitude_low <= ?", ["lead_locations"]],
    ["SELECT rid, name FROM notes WHERE account_id = ? ORDER BY name, rid DESC", []],
    ["SELECT 1 FROM leads l JOIN notes n ON n.account_id = l.account_id WHERE l.account_id = ?", []],
    ["SELECT 1 FROM leads l JOIN notes n ON n.account_id = l.account_id", ["leads", "notes"]],
    ["UPDATE accounts SET lead_count = lead_count + 1 WHERE key = ?", []],
    ["SELECT * FROM accounts", ["accounts"]],
    ["DELETE FROM notes WHERE (rowid) IN (SELECT rowid FROM notes WHERE account_id = ? LIMIT 9)", []],
    ["DELETE FROM notes WHERE (rowid) IN (SELECT rowid FROM notes LIMIT 9)", ["notes"]],
    [
      "DELETE FROM notes WHERE (account_id, rid) IN (SELECT r.a, r.rid FROM (SELECT ?1 AS a, ?2 AS rid) AS r)",
      [],
    ],
    ["DELETE FROM notes WHERE (rid) IN (SELECT r.rid FROM (SELECT ?1 AS rid) AS r)", ["notes"]],
    ["DELETE FROM notes WHERE rid IN (SELECT value FROM json_each(?1))", ["notes"]],
    ["UPDATE leads SET name = r.n FROM (SELECT ?1 AS rid, ?2 AS n) AS r WHERE leads.rid = r.rid", ["leads"]],
    [
      "UPDATE leads SET name = r.n FROM (SELECT ?1 AS account_id, ?2 AS n) AS r WHERE leads.account_id = r.account_id",
      [],
    ],
    ["WITH r (rid) AS (SELECT ?1) SELECT 1 FROM r JOIN leads l ON l.rid = r.rid", ["leads"]],
    ["SELECT n.name FROM trail t JOIN trail_names n ON n.key = t.reason WHERE t.account_id = ?", []],
    [
      "SELECT n.name FROM trail t JOIN trail_names n ON n.key = t.reason WHERE t.seq = ?",
      ["trail", "trail_names"],
    ],
  ])("%s", (sql, found) => expect(tablesIn(sql)).toEqual(found))

  test("takes an exception for its table alone, and tells of one that is not needed", () => {
    const findings = [{ table: "leads", sql: "select 1 from leads" }]
    const needed = { why: "", sql: "from leads", tables: ["leads"] }
    const stale = { why: "", sql: "from leads", tables: ["notes"] }
    expect(unexplained(findings, [needed, stale])).toEqual({ findings: [], stale: [stale] })
    expect(unexplained(findings, [stale]).findings).toEqual(findings)
  })
})
