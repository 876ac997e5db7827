import type { Salt } from "../shared/secrets.ts"
import type { Db } from "../sql/db.ts"

/** The salt, for the statement that reads what is encrypted: another process may encrypt it meanwhile. */
export const SALT = "(SELECT value FROM settings WHERE name = 'sealing')"
const READ = `SELECT ${SALT} AS salt`

export async function saltOf(db: Db): Promise<Salt> {
  return (await db.get<{ salt: Salt }>(READ))?.salt
}
