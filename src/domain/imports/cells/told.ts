// What the report of an import tells of a file: its columns, warnings, guesses, and words for no value.
import * as v from "valibot"
import { named } from "../../../lead/described.ts"
import { count } from "../../../lead/fields.ts"
import { WARNING_KINDS } from "./values.ts"

const text = v.string()

/** A value of the file, its rows, and what it becomes: null for a word that is no status, "" for none. */
const ColumnValueOutput = v.strictObject({ value: text, count, becomes: v.nullable(text) })
export type ColumnValue = v.InferOutput<typeof ColumnValueOutput>

export const ColumnOutput = named(
  "ImportColumn",
  v.strictObject({
    ...{ column: text, target: text, example: v.nullable(text), filled: count },
    values: v.optional(v.array(ColumnValueOutput)),
  }),
  {
    column: "As the file names it.",
    target: "A lead field, `attr:<name>:<type>`, or `-` for none.",
    example: "The first value.",
    filled: "Rows with a value.",
    "values[].value": "As the file has it.",
    "values[].count": "Rows with it.",
    "values[].becomes":
      "The status or tag; null for a word that is no status, empty for one that is left out.",
    values: "Only with `details`, for statuses and tags: the first 200 distinct values, commonest first.",
  },
)
export type ColumnReport = v.InferOutput<typeof ColumnOutput>

/** A problem with one value of a row that is imported all the same. */
export const WarningOutput = v.strictObject({
  ...{ line: count, column: text, value: text, kind: v.picklist(WARNING_KINDS), message: text },
})
export type ImportWarning = v.InferOutput<typeof WarningOutput>

/** A reading of a column that may be wrong: `what` its values are taken for, and as an `example` one of them with what it becomes. */
export const GuessOutput = v.strictObject({ column: text, what: text, reason: text, example: text })
export type Guess = v.InferOutput<typeof GuessOutput>

/** Words for no value, such as `NULL`, that were left out of a column. */
export const DroppedOutput = v.strictObject({ column: text, count, example: text })
export type Dropped = v.InferOutput<typeof DroppedOutput>
