declare const LEADDB_COMMIT: string

/** The commit that an executable was built from, of which `-dirty` had changes; `source` where the sources run. */
export const COMMIT = typeof LEADDB_COMMIT === "string" ? LEADDB_COMMIT : "source"
