import { KIND_BITS, type SuppressionKind } from "../../lead/suppression-keys.ts"
import type { KeyedSuppression, Suppression, SuppressionReads, SuppressionWrites } from "../contract/store.ts"
import type { AccountColumns } from "../sql/account-columns.ts"
import { bulk } from "../sql/bulk.ts"
import type { Db, WriteDb } from "../sql/db.ts"
import { accountColumn, accountRows } from "../sql/rows.ts"

const COLUMNS = ["id", "kind", "value", "reason", "created_at"] as const
const ROWS = accountRows("suppressions", COLUMNS)
const LIST = `SELECT ${COLUMNS.join(", ")} FROM suppressions WHERE account_id = $1 AND id < $2`
const NEWEST = "ORDER BY id DESC LIMIT $3"
/** Above every id. */
const FIRST = "~"

const KEYED =
  "SELECT id, kind, value, key, reason, created_at FROM suppressions WHERE account_id = $1 AND key"
const HAVING_ONE = `${KEYED} = $2`
const HAVING = `${KEYED} = ANY ($2)`
/** Keys that SQLite looks up one by one: a list of them costs more than the lookups. */
const FEW = 12

export function suppressionReads(db: Db): SuppressionReads {
  const kinds = accountColumn<number>(db, "suppressed_kinds")
  const count = accountColumn<number>(db, "suppression_count")
  return {
    kinds: async (account) => (await kinds(account)) ?? 0,
    count: async (account) => (await count(account)) ?? 0,
    async having(account, keys) {
      if (keys.length === 0) return []
      if (keys.length > FEW || db.dialect.engine === "postgres")
        return db.all<KeyedSuppression>(HAVING, [account, keys])
      const entries: KeyedSuppression[] = []
      for (const key of keys) {
        const entry = await db.get<KeyedSuppression>(HAVING_ONE, [account, key])
        if (entry) entries.push(entry)
      }
      return entries
    },
    find: (account, id) => db.get<Suppression>(...ROWS.find(account, id)),
    list: (account, { kind, after = FIRST, limit }) =>
      kind === undefined
        ? db.all<Suppression>(`${LIST} ${NEWEST}`, [account, after, limit])
        : db.all<Suppression>(`${LIST} AND kind = $4 ${NEWEST}`, [account, after, limit, kind]),
  }
}

const added = bulk(
  {
    account_id: "bigint",
    id: "text",
    kind: "text",
    value: "text",
    key: "text",
    reason: "text",
    created_at: "bigint",
  },
  (rows) => `INSERT INTO suppressions (account_id, id, kind, value, key, reason, created_at)
    SELECT r.account_id, r.id, r.kind, r.value, r.key, r.reason, r.created_at FROM ${rows}`,
)

export function suppressionWrites(
  db: WriteDb,
  columns: AccountColumns,
): SuppressionWrites & Pick<SuppressionReads, "kinds" | "count"> {
  const { having } = suppressionReads(db)

  async function count(account: number, by: number): Promise<void> {
    await columns.set(account, "suppression_count", (await columns.get(account, "suppression_count")) + by)
  }

  return {
    kinds: columns.reader("suppressed_kinds"),
    count: columns.reader("suppression_count"),
    async add(account, entries) {
      const stored = await having(
        account,
        entries.map(({ key }) => key),
      )
      const byKey = new Map(stored.map((entry) => [entry.key, entry]))
      const fresh: KeyedSuppression[] = []
      for (const entry of entries) {
        if (byKey.has(entry.key)) continue
        byKey.set(entry.key, entry)
        fresh.push(entry)
      }
      if (fresh.length === 0) return byKey
      for (const { id, kind, value, key, reason, created_at } of fresh)
        db.put(added, [account, id, kind, value, key, reason, created_at])
      await count(account, fresh.length)
      const kinds = await columns.get(account, "suppressed_kinds")
      const all = fresh.reduce((bits, { kind }) => bits | KIND_BITS[kind], kinds)
      if (all !== kinds) await columns.set(account, "suppressed_kinds", all)
      return byKey
    },
    async remove(account, id) {
      const entry = await db.get<{ kind: SuppressionKind }>(
        "SELECT kind FROM suppressions WHERE account_id = $1 AND id = $2",
        [account, id],
      )
      if (!entry) return false
      await db.run(...ROWS.remove(account, id))
      await count(account, -1)
      const isLeft = await db.get("SELECT 1 FROM suppressions WHERE account_id = $1 AND kind = $2 LIMIT 1", [
        account,
        entry.kind,
      ])
      const kinds = await columns.get(account, "suppressed_kinds")
      if (!isLeft) await columns.set(account, "suppressed_kinds", kinds & ~KIND_BITS[entry.kind])
      return true
    },
  }
}
