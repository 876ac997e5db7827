// Reads what the preloaded shim wrote down.
import { readFileSync } from "node:fs"

const KINDS = [
  "",
  "create",
  "write",
  "truncate",
  "sync",
  "sync folder",
  "unlink",
  "rename",
  "make folder",
] as const

export interface LogRecord {
  kind: (typeof KINDS)[number]
  inode: number
  /** Where is written; what size is truncated to. */
  offset: number
  path: string
  /** What is written; the new path of a rename. */
  data: Buffer
  /** Bytes of the log up to the end of this record. */
  end: number
}

const HEAD = 24

export function readLog(file: string): LogRecord[] {
  const log = readFileSync(file)
  const records: LogRecord[] = []
  for (let at = 0; at + HEAD <= log.length; ) {
    const path = log.readUInt16LE(at + 2)
    const data = log.readUInt32LE(at + 4)
    const end = at + HEAD + path + data
    if (end > log.length) break
    records.push({
      kind: KINDS[log[at]!]!,
      inode: Number(log.readBigUInt64LE(at + 8)),
      offset: Number(log.readBigInt64LE(at + 16)),
      path: log.toString("utf8", at + HEAD, at + HEAD + path),
      data: log.subarray(at + HEAD + path, end),
      end,
    })
    at = end
  }
  return records
}
