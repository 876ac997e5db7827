// Removes files of imports that never started or ended without cleaning up.
import type { Services } from "../../operation.ts"
import { IMPORT_KIND } from "./records.ts"

/** Age below which a file may belong to an import that is being checked before its record is written. */
const YOUNG_MS = 60_000

/** Removes stored files that belong to no running import. */
export async function removeLeftFiles({ files, store, clock }: Services): Promise<void> {
  const names = await files.olderThan(clock.now() - YOUNG_MS)
  if (names.length === 0) return
  const inputs = (await store.read.jobs.inputs(IMPORT_KIND)) as { kept?: string }[]
  const inUse = new Set(inputs.map(({ kept }) => kept))
  for (const name of names) if (!inUse.has(name)) await files.remove(name)
}
