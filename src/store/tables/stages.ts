import type { Stage } from "../../lead/stage.ts"
import type { StageReads, StageWrites } from "../contract/store.ts"
import type { Db, WriteDb } from "../sql/db.ts"

const STAGE = "SELECT id, name, status, color, position FROM stages WHERE account_id = $1 AND removed = $2"

export function stageReads(db: Db): StageReads {
  return {
    list: (account) => db.all<Stage>(`${STAGE} ORDER BY position, id`, [account, false]),
  }
}

export function stageWrites(db: WriteDb): StageWrites {
  return {
    async put(account, { id, name, status, color, position }) {
      db.later(
        `INSERT INTO stages (account_id, id, name, status, color, position, removed)
         VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT (account_id, id) DO UPDATE SET name = excluded.name, status = excluded.status,
           color = excluded.color, position = excluded.position, removed = excluded.removed`,
        [account, id, name, status, color, position, false],
      )
    },
    async remove(account, id) {
      db.later("UPDATE stages SET removed = $3 WHERE account_id = $1 AND id = $2", [account, id, true])
    },
    findRemoved: (account, id) => db.get<Stage>(`${STAGE} AND id = $3`, [account, true, id]),
  }
}
