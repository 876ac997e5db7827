import { fileTime } from "../../runtime/clock.ts"

/**
 * The prefix of automatic backups of one database: `leads-auto-1f3a9c2e-`. The digits are the database's own, so
 * that several may share a folder and none deletes another's. `secret` is the file's.
 */
export function backupPrefix(secret: Uint8Array): string {
  return `leads-auto-${new Bun.CryptoHasher("sha256").update(secret).digest("hex").slice(0, 8)}-`
}

/** `leads-auto-1f3a9c2e-20270131T101500Z.db`; `at` is in Unix milliseconds. */
export function backupName(prefix: string, at: number): string {
  return `${prefix}${fileTime(at)}.db`
}

/** When the backup of this name was begun, in Unix milliseconds; undefined for any other file. */
export function backupTime(prefix: string, name: string): number | undefined {
  if (!name.startsWith(prefix)) return undefined
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.db$/.exec(name.slice(prefix.length))
  if (!parts) return undefined
  const [year, month, day, hour, minute, second] = parts.slice(1).map(Number)
  const at = Date.UTC(year!, month! - 1, day, hour, minute, second)
  // Only what this file could have written: no thirteenth month.
  return name === backupName(prefix, at) ? at : undefined
}

/** The newest of these times that is not in the future, if any. */
export function newestBy(now: number, times: readonly number[]): number | undefined {
  const past = times.filter((at) => at <= now)
  return past.length > 0 ? Math.max(...past) : undefined
}

/**
 * Those of the names that are more than so many, oldest first. What carries a time in the future was made before the
 * clock was set back, so it counts as older than what does not.
 */
export function tooOld(prefix: string, names: readonly string[], keep: number, now: number): string[] {
  const age = (at: number) => (at <= now ? at : at - Number.MAX_SAFE_INTEGER / 2)
  const backups = names.flatMap((name) => {
    const at = backupTime(prefix, name)
    return at === undefined ? [] : [{ name, age: age(at) }]
  })
  const oldestFirst = backups.toSorted((a, b) => a.age - b.age)
  return oldestFirst.slice(0, Math.max(0, backups.length - keep)).map(({ name }) => name)
}
