// The key and the member that a thing came from, as columns of the statement that reads the thing.
import type { Origin, Role } from "../../access/roles.ts"

/**
 * Tables for `originColumns`, where `by` is the column, with its table, of the id of the key or member that made the thing:
 * of the same account.
 */
export function originJoins(by: string): string {
  const account = `${by.slice(0, by.indexOf("."))}.account_id`
  return `LEFT JOIN api_keys ok ON ok.account_id = ${account} AND ok.id = ${by}
    LEFT JOIN members om ON om.account_id = ${account} AND om.id = coalesce(ok.maker, ${by})`
}

export const originColumns = (by: string): string => `${by} AS made_by, ok.role AS origin_key_role,
  ok.maker AS origin_member, ok.expires_at AS origin_key_ends_at, om.role AS origin_role`

export interface OriginRow {
  made_by: string | null
  origin_key_role: Role | null
  origin_member: string | null
  origin_key_ends_at: number | null
  origin_role: Role | null
}

export function originOf(row: OriginRow): Origin {
  const { made_by, origin_key_role: role, origin_member: member, origin_key_ends_at: expires_at } = row
  return { made_by, maker_key: role && { role, member, expires_at }, maker_role: row.origin_role }
}
