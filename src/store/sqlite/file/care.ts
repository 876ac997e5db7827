import type { FileCare } from "../../file-care.ts"
import { checkDatabase } from "./check.ts"
import { compactDatabase, fileUse } from "./compact.ts"
import { backUpDatabase } from "./copy.ts"
import { alone } from "./lock.ts"
import { restoreDatabase } from "./restore.ts"

export const sqliteFileCare: FileCare = {
  backUp: backUpDatabase,
  restore: restoreDatabase,
  check: checkDatabase,
  use: fileUse,
  compact: compactDatabase,
  alone,
}
