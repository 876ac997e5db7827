/** How many complaints of one kind are spelled out. */
export const MOST = 20

export const RESTORE =
  "Stop the service and restore the newest good backup (leaddb restore FILE): the damaged file is kept beside it. " +
  "Without a backup, the sqlite3 program's .recover saves what can be read"

/** Advice to run a statement. */
export function repair(sql: string): string {
  return `Make a backup (leaddb backup FILE), stop the service, then run in the sqlite3 program: ${sql};`
}
