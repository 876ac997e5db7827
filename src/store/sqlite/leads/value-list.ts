import { type Fragment, fragment } from "../../../filters/fragment.ts"
import type { ColumnValue } from "../../sql/schema/lead-rows.ts"

/** A list of values as one parameter, so that its length does not make another statement. */
export function valueList(values: readonly ColumnValue[]): Fragment {
  return fragment("(SELECT value FROM json_each(?))", JSON.stringify(values))
}
