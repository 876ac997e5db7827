// Files that were kept for an import which never began, or ended where nobody was there to remove them.
import type { Services } from "../../operation.ts"
import { IMPORT_KIND } from "../records.ts"

/** How long a file may be there before its import is: it is looked into meanwhile. */
const YOUNG_MS = 60_000

/** Removes kept files that belong to no import under way. */
export async function removeLeftFiles({ files, store, clock }: Services): Promise<void> {
  const names = await files.olderThan(clock.now() - YOUNG_MS)
  if (names.length === 0) return
  const inputs = (await store.read.jobs.inputs(IMPORT_KIND)) as { kept?: string }[]
  const inUse = new Set(inputs.map(({ kept }) => kept))
  for (const name of names) if (!inUse.has(name)) await files.remove(name)
}
