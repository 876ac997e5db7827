// Texts that may name a person without the lead, in the store's contract: an erasure searches them.

/** Columns that say `searched` in the schema, with what tells a row of its account. */
export const SEARCHED = {
  imports: { key: "id", columns: ["name", "file_name", "report"] },
  import_mappings: { key: "rid", columns: ["name", "header", "options"] },
  form_posts: { key: "id", columns: ["email", "lead"] },
  jobs: { key: "id", columns: ["errors"] },
} as const
export type SearchedTable = keyof typeof SEARCHED

/** A row by its key, with the texts that are searched. */
export interface Trace<Table extends SearchedTable = SearchedTable> {
  key: string | number
  texts: Readonly<Record<(typeof SEARCHED)[Table]["columns"][number], string | null>>
}

export interface TraceReads {
  /** A few rows of an account, by key. */
  list<Table extends SearchedTable>(
    account: number,
    table: Table,
    after?: string | number,
  ): Promise<Trace<Table>[]>
  find<Table extends SearchedTable>(
    account: number,
    table: Table,
    key: string | number,
  ): Promise<Trace<Table> | undefined>
}
export interface TraceWrites {
  rewrite(account: number, table: SearchedTable, trace: Trace): Promise<void>
  remove(account: number, table: SearchedTable, key: string | number): Promise<void>
}
