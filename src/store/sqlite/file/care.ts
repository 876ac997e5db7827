import type { FileCare } from "../../shared/file-care.ts"
import { checkFile } from "./check.ts"
import { compactDatabase, fileUse } from "./compact.ts"
import { backUpDatabase, reading } from "./copy.ts"
import { alone } from "./lock.ts"
import { beginPartial } from "./partial.ts"
import { repairFile } from "./repair.ts"
import { changeSecretKey, secretsState } from "./resealing.ts"
import { restoreDatabase } from "./restore.ts"

export const sqliteFileCare: FileCare = {
  backUp: backUpDatabase,
  restore: restoreDatabase,
  check: checkFile,
  repair: repairFile,
  use: fileUse,
  compact: compactDatabase,
  secrets: (file, key) => reading(file, (db) => secretsState(db, key)),
  changeSecretKey,
  alone,
  beginPartial,
}
