/** The SQLite result name of an error (`SQLITE_FULL`), when it is one. */
export function sqliteCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined
  return typeof error.code === "string" && error.code.startsWith("SQLITE_") ? error.code : undefined
}
