import type { Template, TemplateReads, TemplateWrites } from "../contract/templates.ts"
import type { Db, WriteDb } from "../sql/db.ts"

const SHOWN = "id, name, subject, body, created_at, updated_at"
const TEMPLATE = `SELECT ${SHOWN} FROM templates WHERE account_id = $1`
const FIND = `${TEMPLATE} AND id = $2`
const LIST = `${TEMPLATE} ORDER BY rid`

export function templateReads(db: Db): TemplateReads {
  return {
    find: (account, id) => db.get<Template>(FIND, [account, id]),
    list: (account) => db.all<Template>(LIST, [account]),
  }
}

const INSERT = `INSERT INTO templates (account_id, ${SHOWN}) VALUES ($1, $2, $3, $4, $5, $6, $7)`
const UPDATE =
  "UPDATE templates SET name = $3, subject = $4, body = $5, updated_at = $6 WHERE account_id = $1 AND id = $2"
const REMOVE = "DELETE FROM templates WHERE account_id = $1 AND id = $2"

export function templateWrites(db: WriteDb): TemplateWrites {
  return {
    async insert(account, { id, name, subject, body, created_at, updated_at }) {
      db.later(INSERT, [account, id, name, subject, body, created_at, updated_at])
    },
    async update(account, { id, name, subject, body, updated_at }) {
      db.later(UPDATE, [account, id, name, subject, body, updated_at])
    },
    async remove(account, id) {
      db.later(REMOVE, [account, id])
    },
  }
}
