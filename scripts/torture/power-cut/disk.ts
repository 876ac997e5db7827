// A disk that may lose what was not synced. What is durable is known; of what came after the last sync of a file,
// each sector may hold any of the states it went through: writes reach the disk in any order and whole sectors at a
// time. Names are made safe by the sync of their folder alone, as POSIX has it.
import { dirname } from "node:path"
import type { Random } from "../../seed/random.ts"
import type { LogRecord } from "./log.ts"

/** How much of what was not synced a cut leaves. */
export const FATES = ["none", "all", "sectors", "pages", "in order", "junk"] as const
export type Fate = (typeof FATES)[number]

interface Disk {
  apply(record: LogRecord): void
  /** The files a cut may leave, by path. */
  cut(fate: Fate, random: Random): Map<string, Buffer>
}

interface Inode {
  /** As it is for certain; longer than `size`, so that it can grow. */
  bytes: Buffer
  size: number
  pending: LogRecord[]
}

/** `ignored` says which syncs this disk pretends to do: none, on a disk that can be trusted. */
export function createDisk(ignored: (path: string) => boolean = () => false): Disk {
  const inodes = new Map<number, Inode>()
  const names = new Map<string, number>()
  /** Changes of names that their folder's sync has not made safe. */
  let renamed: LogRecord[] = []
  /** Folders that were made, and are not safe in theirs yet. */
  const made = new Set<string>()
  const paths = new Map<number, string>()

  function inodeOf(inode: number): Inode {
    let found = inodes.get(inode)
    if (!found) {
      found = { bytes: Buffer.alloc(0), size: 0, pending: [] }
      inodes.set(inode, found)
    }
    return found
  }

  return {
    apply(record) {
      const { kind, inode, path } = record
      if (kind === "create") {
        // Numbers of removed files are used again.
        inodes.set(inode, { bytes: Buffer.alloc(0), size: 0, pending: [] })
        paths.set(inode, path)
      }
      if (kind === "write" || kind === "truncate") inodeOf(inode).pending.push(record)
      else if (kind === "sync") {
        if (!ignored(paths.get(inode) ?? "")) settle(inodeOf(inode))
      } else if (kind === "sync folder") {
        const isHere = (change: { path: string }) => dirname(change.path) === path
        for (const change of renamed.filter(isHere)) rename(names, change)
        renamed = renamed.filter((change) => !isHere(change))
        for (const folder of made) if (dirname(folder) === path) made.delete(folder)
      } else if (kind === "make folder") made.add(path)
      else renamed.push(record)
    },
    cut(fate, random) {
      const left = new Map(names)
      // A journal of names keeps their order.
      const kept = fate === "none" ? 0 : fate === "all" ? renamed.length : random.below(renamed.length + 1)
      for (const change of renamed.slice(0, kept)) rename(left, change)
      if (fate !== "all" && made.size > 0 && random.chance(0.5)) {
        const isGone = (path: string) => [...made].some((folder) => path.startsWith(`${folder}/`))
        for (const path of [...left.keys()].filter(isGone)) left.delete(path)
      }
      return new Map([...left].map(([path, inode]) => [path, remains(inodeOf(inode), fate, random)]))
    },
  }
}

function rename(names: Map<string, number>, { kind, path, inode, data }: LogRecord): void {
  if (kind === "create") names.set(path, inode)
  else names.delete(path)
  if (kind === "rename") names.set(data.toString(), inode)
}

/** Makes everything that was written durable. */
function settle(inode: Inode): void {
  for (const { kind, offset, data } of inode.pending) {
    if (kind === "truncate") {
      reserve(inode, offset)
      inode.bytes.fill(0, Math.min(offset, inode.size), Math.max(offset, inode.size))
      inode.size = offset
      continue
    }
    reserve(inode, offset + data.length)
    data.copy(inode.bytes, offset)
    inode.size = Math.max(inode.size, offset + data.length)
  }
  inode.pending = []
}

function reserve(inode: Inode, size: number): void {
  if (size <= inode.bytes.length) return
  const more = Buffer.alloc(Math.max(size, inode.bytes.length * 2, 65_536))
  inode.bytes.copy(more)
  inode.bytes = more
}

const SECTOR = 512

/** What a cut leaves of a file. */
function remains({ bytes, size, pending }: Inode, fate: Fate, random: Random): Buffer {
  const copy = { bytes: Buffer.from(bytes.subarray(0, size)), size, pending }
  if (fate === "none" || pending.length === 0) return copy.bytes
  if (fate === "in order") copy.pending = torn(pending, random)
  if (fate === "all" || fate === "in order") {
    settle(copy)
    return copy.bytes.subarray(0, copy.size)
  }
  // Changes of the size keep their order, and nothing can be in a place that was not there.
  const cuts = pending.flatMap(({ kind }, i) => (kind === "truncate" ? [i] : []))
  const lost = random.pick([...cuts, pending.length])
  scatter(copy, pending.slice(0, lost), fate, random)
  return copy.bytes.subarray(0, copy.size)
}

/** All up to some write, and of that one the first sectors. */
function torn(pending: readonly LogRecord[], random: Random): LogRecord[] {
  const whole = random.below(pending.length)
  const last = pending[whole]!
  const bytes = Math.min(last.data.length, random.below(9) * SECTOR)
  const left = last.kind === "write" ? [{ ...last, data: last.data.subarray(0, bytes) }] : []
  return [...pending.slice(0, whole), ...left]
}

/**
 * Each block holds what the first few writes to it made of it. Where the file has grown over a block that was never
 * written there are zeros, or junk that was on the disk before.
 */
function scatter(inode: Inode, pending: readonly LogRecord[], fate: Fate, random: Random): void {
  const block = fate === "pages" ? 4_096 : SECTOR
  const kept = new Map<number, number>()
  const share = random.pick([0.1, 0.5, 0.9])
  // A block has all of its writes, none, or those up to some moment.
  const keptOf = (index: number) => {
    const known = kept.get(index)
    if (known !== undefined) return known
    const dice = random.float()
    const count = dice < share ? pending.length : dice < 0.95 ? 0 : random.below(pending.length + 1)
    kept.set(index, count)
    return count
  }
  let end = inode.size
  for (const [i, { kind, offset, data }] of pending.entries()) {
    if (kind === "truncate") {
      settle(Object.assign(inode, { pending: [pending[i]!] }))
      end = inode.size
      continue
    }
    const after = offset + data.length
    if (after > end) grow(inode, end, after, fate, random)
    end = Math.max(end, after)
    for (let at = offset; at < after; ) {
      const index = Math.floor(at / block)
      const next = Math.min(after, (index + 1) * block)
      if (i < keptOf(index)) data.copy(inode.bytes, at, at - offset, next - offset)
      at = next
    }
  }
  // The new size may not have got there either.
  inode.size = end > inode.size && random.chance(0.3) ? random.between(inode.size, end) : end
}

function grow(inode: Inode, from: number, to: number, fate: Fate, random: Random): void {
  reserve(inode, to)
  inode.bytes.fill(0, from, to)
  if (fate !== "junk") return
  for (let at = from; at < to; at++) inode.bytes[at] = random.below(256)
}
