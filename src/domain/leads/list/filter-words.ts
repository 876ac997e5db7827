// The filter language in words, for the API's document.
import {
  ATTRIBUTE_OPERATORS,
  LOCATION_OPERATORS,
  NUMBER_OPERATORS,
  SAME,
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
| numbers, \`score\`, times | ${list(NUMBER_OPERATORS)} |
| \`tags\` | ${list(TAG_OPERATORS)} |
| \`location\` | ${list(LOCATION_OPERATORS)}; \`within_radius\` takes \`lat,lng,km\` |
| \`attr:<name>\` | ${list(ATTRIBUTE_OPERATORS)} |

\`in\` and \`not_in\` take values with commas between them, \`between\` takes \`low,high\`. \`neq\`, \`not_contains\` and \`not_in\` also match leads where the field is empty. A name with a dot is quoted: \`and.eq.attr:"net.revenue".5\`.`
