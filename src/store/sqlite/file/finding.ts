/** Something that is not as it should be, and what a person can do about it. */
export interface Finding {
  /** Stable, for programs: `orphan_rows`. */
  code: string
  /** An error is damage, or what stops the service; a warning is worth knowing. */
  severity: "error" | "warning"
  /** Which check found it. */
  check: string
  message: string
  advice: string
}

/** How many complaints of one kind are spelled out. */
export const MOST = 20

export const RESTORE =
  "Stop the service and restore the newest good backup (leaddb restore FILE): the damaged file is kept beside it. " +
  "Without a backup, the sqlite3 program's .recover saves what can be read"

/** Advice to run a statement. */
export function repair(sql: string): string {
  return `Make a backup (leaddb backup FILE), stop the service, then run in the sqlite3 program: ${sql};`
}
