import type { UploadsHeld, UploadWrites } from "../contract/uploads.ts"
import type { WriteDb } from "../sql/db.ts"

const OTHERS = `SELECT coalesce(sum(files), 0)::bigint AS files, coalesce(sum(bytes), 0)::bigint AS bytes
  FROM uploads WHERE account_id = $1 AND process <> $2 AND alive_until > $3`
const HOLD = `INSERT INTO uploads (account_id, process, files, bytes, alive_until) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (account_id, process) DO UPDATE
  SET files = excluded.files, bytes = excluded.bytes, alive_until = excluded.alive_until`

export function uploadWrites(db: WriteDb): UploadWrites {
  return {
    async ofOthers(account, process, now) {
      db.later("DELETE FROM uploads WHERE account_id = $1 AND alive_until <= $2", [account, now])
      return (await db.get<UploadsHeld>(OTHERS, [account, process, now]))!
    },
    async hold(account, process, held) {
      if (held) db.later(HOLD, [account, process, held.files, held.bytes, held.until])
      else db.later("DELETE FROM uploads WHERE account_id = $1 AND process = $2", [account, process])
    },
  }
}
