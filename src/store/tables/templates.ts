import type { Template, TemplateReads, TemplateWrites } from "../contract/templates.ts"
import type { Db, WriteDb } from "../sql/db.ts"
import { accountRows } from "../sql/rows.ts"

const ROWS = accountRows("templates", ["id", "name", "subject", "body", "created_at", "updated_at"])

export function templateReads(db: Db): TemplateReads {
  return {
    find: (account, id) => db.get<Template>(...ROWS.find(account, id)),
    list: (account) => db.all<Template>(...ROWS.list(account)),
  }
}

export function templateWrites(db: WriteDb): TemplateWrites {
  return {
    insert: async (account, template) => db.later(...ROWS.insert(account, template)),
    update: async (account, template) => db.later(...ROWS.update(account, template)),
    remove: async (account, id) => db.later(...ROWS.remove(account, id)),
  }
}
