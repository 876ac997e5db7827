// The filter language in words, for the API's document.
import { SAME } from "../../../lead/filter-parts.ts"
import {
  ATTRIBUTE_OPERATORS,
  CONTACTABLE_OPERATORS,
  FILTERS_MAX,
  ID_OPERATORS,
  LOCATION_OPERATORS,
  NUMBER_OPERATORS,
  TAG_OPERATORS,
  TEXT_OPERATORS,
} from "./filter.ts"

const list = (operators: readonly string[]) => operators.map((operator) => `\`${operator}\``).join(" ")

/** The filter language, for the operations that take filters. */
export const FILTER_WORDS = `A filter is \`logic.operator.field.value\`, such as \`and.gte.rating.4\`. Texts compare ignoring case.

| Fields | Operators |
|---|---|
| texts | ${list(TEXT_OPERATORS)} (\`not_empty\` means \`is_not_empty\`) |
| \`phone\` | as texts, and \`${SAME}\`: the number however it is written |
| \`source_id\` | as texts, and \`${SAME}\`: exactly this text, as deduplication compares it |
| numbers, \`score\`, times | ${list(NUMBER_OPERATORS)} |
| \`tags\` | ${list(TAG_OPERATORS)} |
| \`location\` | ${list(LOCATION_OPERATORS)}; \`within_radius\` takes \`lat,lng,km\` |
| \`id\` | ${list(ID_OPERATORS)} |
| \`contactable\`, \`suppressed\` | ${list(CONTACTABLE_OPERATORS)} \`true\` or \`false\`: not on the do-not-contact list, or on it |
| \`owner\` | as texts, with the id, name or email of a member, or \`me\` |
| \`attr:<name>\` | ${list(ATTRIBUTE_OPERATORS)} |

\`in\` and \`not_in\` take values with commas between them (one with a comma in double quotes), \`between\` takes \`low,high\`. A date without a time is the whole day in the account's time zone; \`today\`, \`yesterday\`, \`tomorrow\`, \`30d\` (ago) and \`-P1M\` are dates. \`neq\`, \`not_contains\` and \`not_in\` also match leads where the field is empty. A name with a dot is quoted: \`and.eq.attr:"net.revenue".5\`.`

/** Descriptions of the parameters that choose leads. */
export const choiceWords = {
  contactable: "`true` leaves out leads on the do-not-contact list, `false` shows only those.",
  filter: `\`logic.operator.field.value\`, at most ${FILTERS_MAX} times: all \`and\` filters must hold, and one of the \`or\` filters.`,
  q: 'Words that must all be somewhere in the lead or its notes, the last perhaps only begun; `"next to each other"`, `-without`. Case, accents and the way a phone number is written do not count.',
  segment: "Id of a segment: only its leads, in its order unless another is asked for.",
}

/** Description of a sort's direction. */
export const sortOrderWords = {
  type: "string",
  enum: ["ASC", "DESC"],
  default: "ASC",
  description: "Sort direction; empty values come last in both.",
} as const

/** Descriptions of the parameters that choose leads and sort them by a field. */
export const listWords = {
  ...choiceWords,
  sort_by: "A lead field, `score`, `id` or `attr:<name>`; the default is `created_at`, with `q` `relevance`.",
  sort_order: sortOrderWords,
}
