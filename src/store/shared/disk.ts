// Files that must not be lost, whatever is in them: names, space, and what it takes until they are really on the disk.
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  statfsSync,
  statSync,
} from "node:fs"
import { platform } from "node:os"
import { basename, dirname, join } from "node:path"
import { AppError } from "../../runtime/errors.ts"
import { grouped } from "../../text/text.ts"

/** Bytes that stay free beside a copy, so that the service beside it can go on writing. */
const RESERVE = 64 * 2 ** 20

/** Bytes that are free for us on the disk of a folder. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/** Throws an Error when a copy of so many bytes would not fit into a folder and leave 64 MiB free. */
export function refuseUnfitting(bytes: number, folder: string, free = freeBytes): void {
  const there = free(folder)
  if (there >= bytes + RESERVE) return
  throw new Error(
    `the copy needs ${inMiB(bytes)} and 64 MiB to spare, and ${folder} has ${inMiB(there)} free: ` +
      "make room there or choose a folder on another disk",
  )
}

/** Room for a file that is being written; what is written is no longer reserved. */
interface Reservation {
  wrote(bytes: number): void
  release(): void
}

/** Bytes without an announced size after which the free room is looked at again. */
const LOOK_EVERY = 16 * 2 ** 20

/**
 * Reserves room on the disk of a folder, which must be there when room is asked for. Files that are
 * written at the same time do not count on the same room. Throws AppError `storage_full` when 64 MiB would not stay
 * free, also later for a file that turns out larger than announced.
 */
export function roomOf(folder: string, free = freeBytes): (size: number) => Reservation {
  let reserved = 0
  function refuse(bytes: number): void {
    if (free(folder) >= reserved + bytes + RESERVE) return
    const message = `The disk has no room for a file of ${inMiB(bytes)} beside what it must keep free: nothing was saved`
    throw new AppError("storage_full", message)
  }
  return (size) => {
    refuse(size)
    reserved += size
    let left = size
    let unannounced = 0
    return {
      wrote(bytes) {
        const part = Math.min(left, bytes)
        left -= part
        reserved -= part
        unannounced += bytes - part
        if (unannounced < LOOK_EVERY) return
        unannounced = 0
        refuse(LOOK_EVERY)
      },
      release() {
        reserved -= left
        left = 0
      },
    }
  }
}

export function inMiB(bytes: number): string {
  return `${grouped(Math.ceil(bytes / 2 ** 20))} MiB`
}

/** Bytes of a file, 0 when there is none. Looks by name only: opening a database's file drops SQLite's locks. */
export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

/** Makes what was written to a file, or the names in a folder, survive a power cut. */
export function sync(path: string): void {
  const isFolder = statSync(path).isDirectory()
  // Windows opens no folder as a file; its file system keeps names in a journal of its own.
  if (isFolder && platform() === "win32") return
  const handle = openSync(path, isFolder ? "r" : "r+")
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Another name beside a file, for what is not whole yet. */
export function partialOf(target: string): string {
  return join(dirname(target), `.${basename(target)}.${crypto.randomUUID()}.partial`)
}

/** Gives a whole file its name, in place of one that has it. */
export function putInPlace(partial: string, target: string): void {
  renameSync(partial, target)
  sync(dirname(target))
}

const PARTIAL = /\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.partial(-journal)?$/

/** Unfinished files whose final name begins so: left by a process that died, or still being written. */
export function partialsOf(folder: string, beginning: string): string[] {
  if (!existsSync(folder)) return []
  const names = readdirSync(folder).filter((name) => name.startsWith(`.${beginning}`) && PARTIAL.test(name))
  return names.map((name) => join(folder, name))
}
