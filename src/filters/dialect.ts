// How an engine writes the parts of a filter. The parts themselves are defined once, beside their tests in memory:
// operators.ts and conditions.ts.
import type { NumberField, TextField, TimeField } from "../lead/lead.ts"
import type { Sql } from "./fragment.ts"
import type { Condition, WordsCondition } from "./lead-query.ts"
import type { TextColumn, ValueTests } from "./operators.ts"

export interface FilterDialect extends ValueTests {
  text(field: TextField): TextColumn
  number(field: NumberField | TimeField | "score"): string
  /** The rid of the lead that is tested. */
  rid: string
  contact: { text: TextColumn; number: string; key: string }
  attribute: { text: TextColumn; number: string }
  tag: TextColumn
  /** A text that may be too long for an index is just this one. */
  exact(column: string, value: string): Sql
  /** The phone key of the lead is this one. */
  phoneKey(key: string | null): Sql
  phoneNumber: string
  importLeads(account: number, id: string): Sql
  /** The lead is among those of a query of `lead_contacts c`. */
  isAmong(rids: Sql): Sql
  hasNoTags: string
  /** Tags that are each looked up by themselves where a lead must have all; of more they are counted. */
  eachTag: number
  words(account: number, condition: WordsCondition): Sql
  /** The lead is on the do-not-contact list; bound three times, to the account. */
  suppressed: string
  /** A bound number of degrees, and a column of them, within what the engine's sines take. */
  degrees: { bound: string; of(angle: number): number; column(name: string): string }
  least(a: string, b: string): string
  /** Tests a condition otherwise, where the engine can. */
  instead?: ((condition: Condition) => Sql | undefined) | undefined
}
