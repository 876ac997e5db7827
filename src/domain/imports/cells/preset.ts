import type { Status } from "../../../lead/lead.ts"
import type { ColumnRole } from "./vocabulary.ts"

/** A program whose files are recognized by their columns. */
export interface Preset {
  /** Also the default source of its leads. */
  name: string
  /** A file with all columns of one of these lines was written by this program. */
  signs: readonly string[]
  /** Column names by role, nested values by their whole path. They take precedence over COLUMN_NAMES. */
  columns: Readonly<Partial<Record<ColumnRole, string>>>
  /** Columns that become attributes although their names sound like fields. */
  attributes?: string
  /** Statuses by the words of this program; they take precedence over STATUS_WORDS. */
  statuses?: Readonly<Record<string, Status>>
}
