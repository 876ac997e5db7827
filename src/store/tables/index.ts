// The nouns whose SQL both engines share: a table more is a file here, a line in each function and two migrations.
import type { Db, WriteDb } from "../sql/db.ts"
import type { HashLookups } from "../sql/hash-lookups.ts"
import { accountReads, accountReadsWithin, accountWrites } from "./accounts.ts"
import { adminLogReads, adminLogWrites } from "./admin-log.ts"
import { apiKeyReads, apiKeyWrites, keysByHash } from "./api-keys.ts"
import { idempotencyReads, idempotencyWrites } from "./idempotency.ts"
import { memberReads, memberWrites } from "./members.ts"
import { oauthReads, oauthWrites } from "./oauth.ts"
import { sessionReads, sessionsByHash, sessionWrites } from "./sessions.ts"
import type { Surroundings } from "./surroundings.ts"

/** Makes the reads of the shared nouns, each when it is asked for first. */
export function tableReads(db: Db, lookups: HashLookups) {
  return {
    accounts: () => accountReads(db),
    adminLog: () => adminLogReads(db),
    apiKeys: () => ({ ...apiKeyReads(db), findByHash: keysByHash(lookups) }),
    idempotency: () => idempotencyReads(db),
    members: () => memberReads(db),
    oauth: () => oauthReads(db),
    sessions: () => ({ ...sessionReads(db), findByHash: sessionsByHash(lookups) }),
  }
}

/** Makes their reads and writes inside a transaction. */
export function tableWrites(db: WriteDb, around: Surroundings) {
  return {
    accounts: () => ({ ...accountReadsWithin(db, around.columns), ...accountWrites(db, around) }),
    adminLog: () => ({ ...adminLogReads(db), ...adminLogWrites(db, around.newId) }),
    apiKeys: () => ({ ...apiKeyReads(db), ...apiKeyWrites(db) }),
    idempotency: () => ({ ...idempotencyReads(db), ...idempotencyWrites(db) }),
    members: () => ({ ...memberReads(db), ...memberWrites(db) }),
    oauth: () => ({ ...oauthReads(db), ...oauthWrites(db) }),
    sessions: () => ({ ...sessionReads(db), ...sessionWrites(db) }),
  }
}
