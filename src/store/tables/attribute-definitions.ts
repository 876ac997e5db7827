import type { AttributeDefinition } from "../../lead/attribute-definition.ts"
import type { AttributeDefinitionReads, AttributeDefinitionWrites } from "../contract/store.ts"
import { type AccountColumns, newRevision } from "../sql/account-columns.ts"
import type { Db, WriteDb } from "../sql/db.ts"

const LIST = `SELECT name, type, options, required, unit, position, description, created_at, updated_at
  FROM attribute_definitions WHERE account_id = $1 ORDER BY position IS NULL, position, name`

type Row = Omit<AttributeDefinition, "options" | "required"> & {
  options: string | null
  required: boolean | number
}

export function attributeDefinitionReads(db: Db): AttributeDefinitionReads {
  return {
    list: async (account) =>
      (await db.all<Row>(LIST, [account])).map(({ options, required, ...row }) => ({
        ...row,
        options: options === null ? null : JSON.parse(options),
        required: Boolean(required),
      })),
  }
}

/** Each write moves the revision of the account's rules, by which definitions are kept at hand. */
export function attributeDefinitionWrites(db: WriteDb, columns: AccountColumns): AttributeDefinitionWrites {
  const revise = (account: number) => columns.set(account, "rules_revision", newRevision())
  return {
    async put(account, { name, type, options, required, unit, position, description, ...times }) {
      db.later(
        `INSERT INTO attribute_definitions
           (account_id, name, type, options, required, unit, position, description, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
         ON CONFLICT (account_id, name) DO UPDATE SET type = excluded.type, options = excluded.options,
           required = excluded.required, unit = excluded.unit, position = excluded.position,
           description = excluded.description, updated_at = excluded.updated_at`,
        [
          ...[account, name, type, options && JSON.stringify(options), required, unit, position, description],
          ...[times.created_at, times.updated_at],
        ],
      )
      await revise(account)
    },
    async remove(account, name) {
      const removed = await db.run("DELETE FROM attribute_definitions WHERE account_id = $1 AND name = $2", [
        account,
        name,
      ])
      if (removed > 0) await revise(account)
      return removed > 0
    },
  }
}
