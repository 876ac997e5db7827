import { rightsOf } from "../../access/rights.ts"
import type { LinkReads, LinkRow, LinkWrites } from "../contract/links.ts"
import type { Db, WriteDb } from "../sql/db.ts"
import { accountRows } from "../sql/rows.ts"
import { type OriginRow, originColumns, originJoins, originOf } from "./api-keys.ts"

const SHOWN = `l.id, l.segment, l.fields, l.password, l.actor_id, l.created_at, l.expires_at,
  ${originColumns("l.made_by")}`
const ORIGIN = originJoins("l.made_by")
const LIST = `SELECT ${SHOWN} FROM links l ${ORIGIN} WHERE l.account_id = $1 ORDER BY l.rid`
const BY_HASH = `SELECT a.id AS account, ${SHOWN} FROM links l JOIN accounts a ON a.key = l.account_id
  ${ORIGIN} WHERE l.hash = $1`
const ROWS = accountRows("links", [
  ...(["id", "hash", "segment", "fields", "password", "actor_id", "made_by", "created_at"] as const),
  ...(["expires_at"] as const),
])

type Row = Omit<LinkRow, "fields"> & OriginRow & { fields: string }

/** A link with the rights that it has now. Making one takes an editor. */
function linkOf(row: Row): LinkRow {
  const { id, segment, password, actor_id, made_by, created_at } = row
  const { role, ends_at } = rightsOf({ role: "editor", ends_at: row.expires_at }, originOf(row))
  const expires_at = role === "editor" ? ends_at : 0
  return { id, segment, fields: JSON.parse(row.fields), password, actor_id, made_by, created_at, expires_at }
}

export function linkReads(db: Db): LinkReads {
  return {
    list: async (account) => (await db.all<Row>(LIST, [account])).map(linkOf),
    async findByHash(hash) {
      const row = await db.get<Row & { account: string }>(BY_HASH, [hash])
      if (!row) return undefined
      return { account: row.account, link: linkOf(row) }
    },
  }
}

export function linkWrites(db: WriteDb): LinkWrites {
  return {
    async insert(account, hash, link) {
      await db.run(...ROWS.insert(account, { ...link, hash, fields: JSON.stringify(link.fields) }))
    },
    remove: async (account, id) => (await db.run(...ROWS.remove(account, id))) > 0,
    async pass(account, id, made_by) {
      await db.run("UPDATE links SET made_by = $3 WHERE account_id = $1 AND id = $2", [account, id, made_by])
    },
    async removeOf(account, segment) {
      const of = "WHERE account_id = $1 AND segment = $2"
      const rows = await db.all<{ id: string }>(`SELECT id FROM links ${of} ORDER BY rid`, [account, segment])
      if (rows.length > 0) await db.run(`DELETE FROM links ${of}`, [account, segment])
      return rows.map(({ id }) => id)
    },
  }
}
