/** A question for one row by a hash: nearly every request asks one, for its key or its session. */
export interface HashLookup {
  /** Columns of the row. */
  select: string
  /** Tables, joined. */
  from: string
  /** The column of the hash. */
  hash: string
  /**
   * SQLite keeps the answers until another connection commits. PostgreSQL never does: a key that another instance revoked is refused
   * from that moment on.
   */
  isKept?: boolean
}

/** PostgreSQL asks for the hashes of one turn of the event loop with one statement, SQLite for each alone. */
export interface HashLookups {
  /** Finds what `as` makes of a row; undefined where no row has the hash. */
  by<Row, Found>(
    lookup: HashLookup,
    as: (row: Row) => Found,
  ): (hash: Uint8Array) => Found | undefined | Promise<Found | undefined>
}
