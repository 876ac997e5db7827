import type { LinkReads, LinkRow, LinkWrites } from "../contract/links.ts"
import type { Db, WriteDb } from "../sql/db.ts"

const SHOWN = "l.id, l.segment, l.fields, l.password, l.actor_id, l.created_at, l.expires_at"
const LIST = `SELECT ${SHOWN} FROM links l WHERE l.account_id = $1 ORDER BY l.rid`
const BY_HASH = `SELECT a.id AS account, ${SHOWN} FROM links l JOIN accounts a ON a.key = l.account_id WHERE l.hash = $1`
const INSERT = `INSERT INTO links (account_id, id, hash, segment, fields, password, actor_id, created_at, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`

type Row = Omit<LinkRow, "fields"> & { fields: string }
const linkOf = (row: Row): LinkRow => ({ ...row, fields: JSON.parse(row.fields) })

export function linkReads(db: Db): LinkReads {
  return {
    list: async (account) => (await db.all<Row>(LIST, [account])).map(linkOf),
    async findByHash(hash) {
      const row = await db.get<Row & { account: string }>(BY_HASH, [hash])
      if (!row) return undefined
      const { account, ...link } = row
      return { account, link: linkOf(link) }
    },
  }
}

export function linkWrites(db: WriteDb): LinkWrites {
  return {
    async insert(account, hash, { id, segment, fields, password, actor_id, created_at, expires_at }) {
      const values = [id, hash, segment, JSON.stringify(fields), password, actor_id, created_at, expires_at]
      await db.run(INSERT, [account, ...values])
    },
    remove: async (account, id) =>
      (await db.run("DELETE FROM links WHERE account_id = $1 AND id = $2", [account, id])) > 0,
    async removeOf(account, segment) {
      const of = "WHERE account_id = $1 AND segment = $2"
      const rows = await db.all<{ id: string }>(`SELECT id FROM links ${of} ORDER BY rid`, [account, segment])
      if (rows.length > 0) await db.run(`DELETE FROM links ${of}`, [account, segment])
      return rows.map(({ id }) => id)
    },
  }
}
