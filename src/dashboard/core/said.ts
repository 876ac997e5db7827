// What the service says in English sentences, in the person's language.
import { withoutEntry } from "./api.ts"
import { dayText, words } from "./format.ts"
import { language, t } from "./text.ts"

/** Sentences with `{name}` in the place of values; those that are not here stay as they are. */
export const SENTENCES: readonly string[] = [
  "name is required: no column of the row has one, nor a company, a website, an email or a phone",
  "No name; using the {field} {value}",
  "the row has {cells} cells, the header names {columns} columns",
  "the row has {cells} cell, the header names {columns} columns",
  '"{title}" is the title of a group, no lead',
  '"{title}" is a subitem, no lead',
  "the names of the columns stand there once more: no lead",
  '"{text}" below the table is no row: left out',
  "the row has a quote in cell {cell} that is never closed: read without it",
  'the file is not UTF-8: read as {encoding}, such as "{example}"; encoding says otherwise',
  "no value for the required {name}",
  '{field} "{value}" belongs to another lead than the one that the row repeats: left out',
  '{column} "{value}" is too long: cut',
  "no row is in the United States",
  "It was updated since, by {who}: left alone without force",
  "It was changed since the merge and stays as it is",
  "Another lead has it by now",
  "only its values look like it: no lead is merged by it",
  "only its values look like it",
  "nothing in the file decides",
  "most rows are in the United States",
  "all of them have three digits behind it",
  'the dates of "{column}" show it',
  "dates with the day first",
  "dates with the month first",
  "dates with the year first",
  "numbers with a dot between thousands",
  "numbers with a dot before a fraction",
]

const PATTERNS =
  language === "en"
    ? []
    : SENTENCES.map((sentence) => {
        const parts = sentence.split(/\{(\w+)\}/)
        const names = parts.filter((_, i) => i % 2 === 1)
        const fixed = parts.filter((_, i) => i % 2 === 0).map((part) => part.replace(/[.?]/g, "\\$&"))
        return { sentence, names, pattern: new RegExp(`^${fixed.join("(.*?)")}$`) }
      })

/** A sentence of the service, without what only programs need of it. */
export function said(message: string): string {
  const plain = withoutEntry(message)
    .replace(/(?:; (?:date_order|decimal=\w+) says otherwise| unless map says \w+| \((?:dmy|mdy|ymd)\))$/, "")
    .replace(/^(\S+) is (\d{4}-\d\d-\d\d.*)$/, (_, from, to) => `${from} → ${dayText(to)}`)
  for (const { sentence, names, pattern } of PATTERNS) {
    const found = pattern.exec(plain)
    if (!found) continue
    const values = names.map((name, i) => [name, name === "field" ? words(found[i + 1]!) : found[i + 1]])
    return t(sentence, Object.fromEntries(values))
  }
  return plain
}
