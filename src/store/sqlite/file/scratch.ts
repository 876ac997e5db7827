import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Ids } from "../../../core/ids.ts"
import type { Store } from "../../store.ts"
import { openSqliteStore } from "../index.ts"

/** An empty store in a temporary folder of its own, which goes with it. */
export function openScratchStore(ids: Ids): Store {
  const folder = mkdtempSync(join(tmpdir(), "leaddb-scratch-"))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    const store = openSqliteStore(join(folder, "leads.db"), ids)
    return {
      ...store,
      async close() {
        await store.close()
        remove()
      },
    }
  } catch (error) {
    remove()
    throw error
  }
}
