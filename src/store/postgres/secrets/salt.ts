import type { Salt } from "../../shared/secrets.ts"
import type { Db } from "../../sql/db.ts"

/** The salt, in a statement that reads what is kept: another process may encrypt it meanwhile. */
export const SALT = "(SELECT value FROM settings WHERE name = 'sealing')"

export async function saltOf(db: Db): Promise<Salt> {
  const row = await db.get<{ salt: Salt }>(`SELECT ${SALT} AS salt`)
  return row?.salt
}
