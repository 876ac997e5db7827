import { mkdtempSync, statfsSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const GIB = 2 ** 30

/** A new temporary folder: in memory where there is room, so that hundreds of databases need not wait for a disk. */
export function temporaryFolder(): string {
  return mkdtempSync(join(isRoomy("/dev/shm") ? "/dev/shm" : tmpdir(), "leaddb-test-"))
}

function isRoomy(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(path)
    return bavail * bsize > GIB
  } catch {
    return false
  }
}
