// Copies and exports are written under another name until they are whole. One whose process was killed holds whole leads,
// so each is locked while it is written: the next one in its folder removes those that nobody holds.
import { closeSync, existsSync, openSync, readdirSync, rmSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { partialOf, partialsOf, putInPlace, sync } from "../../shared/disk.ts"
import type { PartialFile } from "../../shared/file-care.ts"
import { hold } from "./lock.ts"

const LOCK = "-lock"
const JOURNAL = /-journal$/
const LOCKED = /^\..*\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.partial-lock$/s

/**
 * Makes an empty file beside `target` that nobody else can read, and removes those in its folder that were left by a
 * process that was killed.
 */
export function beginPartial(target: string): PartialFile {
  removeLeft(target)
  for (;;) {
    const path = partialOf(target)
    const lock = hold(path + LOCK)
    // Somebody looks whether it was left.
    if (!lock) continue
    const end = () => {
      remove(path)
      lock.release()
      rmSync(path + LOCK, { force: true })
    }
    try {
      closeSync(openSync(path, "wx", 0o600))
    } catch (error) {
      end()
      throw error
    }
    return { path, end }
  }
}

/**
 * Fills a file under another name beside it, which nobody else can read from the first byte on, and gives it to
 * `place` when it is whole and on disk. Nothing of it is left when something throws.
 */
export function prepareFile(
  target: string,
  fill: (partial: string) => void,
  place: (partial: string) => void = (partial) => putInPlace(partial, target),
): void {
  const { path, end } = beginPartial(target)
  try {
    fill(path)
    sync(path)
    place(path)
  } finally {
    end()
  }
}

/**
 * Removes what was left beside a file by processes that were killed, and what an older version has left under its name,
 * without a lock. What cannot be removed stays.
 */
function removeLeft(target: string): void {
  const folder = dirname(target)
  for (const path of partialsOf(folder, `${basename(target)}.`))
    if (!existsSync(path.replace(JOURNAL, "") + LOCK)) removeQuietly(path)
  for (const name of readdirSync(folder).filter((name) => LOCKED.test(name))) {
    const locked = join(folder, name)
    try {
      const lock = hold(locked)
      if (!lock) continue
      remove(locked.slice(0, -LOCK.length))
      lock.release()
      rmSync(locked, { force: true })
    } catch {
      // Another user's, or on a disk that is read only.
    }
  }
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // As above.
  }
}

function remove(partial: string): void {
  for (const path of [partial, `${partial}-journal`]) rmSync(path, { force: true })
}
