// Highlights search hits: the field, and a snippet of its text with the words marked.

import type { Phrase, WordsCondition } from "../../../filters/lead-query.ts"
import type { LeadData } from "../../../lead/lead.ts"
import { searchedTexts, WORD_GROUPS } from "../../../lead/lead-words.ts"
import { digitsOf } from "../../../text/phone-digits.ts"
import { isUnspaced, placesOf } from "../../../text/words.ts"

export interface Highlight {
  field: string
  /** HTML-escaped text with the words in `<mark>`. */
  snippet: string
}

/** Characters of a snippet before the first word and after it. */
const BEFORE = 60
const BEHIND = 140
/** Characters of a text that are searched. */
const LOOKED_AT = 20_000

interface Found {
  field: string
  text: string
  marks: { from: number; to: number }[]
  words: number
  weight: number
}

/** The field with most of the words, the heaviest of several. Notes are read only when no field matches. */
export async function highlightOf(
  lead: LeadData,
  { all }: WordsCondition,
  notes: () => Promise<readonly string[]>,
): Promise<Highlight | null> {
  const phrases = all.flat()
  let best: Found | undefined
  const look = (field: string, text: string, weight: number) => {
    const hits = foundIn(field, text.slice(0, LOOKED_AT), weight, phrases)
    if (hits.words === 0) return
    if (!best || hits.words > best.words || (hits.words === best.words && weight > best.weight)) best = hits
  }
  for (const { group, field, texts } of searchedTexts(lead))
    for (const text of texts) look(field, text, WORD_GROUPS[group])
  if (!best) for (const note of await notes()) look("notes", note, WORD_GROUPS.notes)
  return best ? { field: best.field, snippet: snippetOf(best) } : null
}

function foundIn(field: string, text: string, weight: number, phrases: readonly Phrase[]): Found {
  const matched = new Set<Phrase>()
  const marks: Found["marks"] = []
  for (const { word, from, to } of placesOf(text)) {
    const fitting = phrases.filter((phrase) => fits(phrase, word))
    if (fitting.length === 0) continue
    for (const phrase of fitting) matched.add(phrase)
    marks.push({ from, to })
  }
  if (field === "phone") {
    const digits = new Set(digitsOf(text))
    const fitting = phrases.filter(({ words }) => digits.has(words[0]!))
    for (const phrase of fitting) matched.add(phrase)
    if (fitting.length > 0)
      return { field, text, marks: [{ from: 0, to: text.length }], words: matched.size, weight }
  }
  return { field, text, marks, words: matched.size, weight }
}

function fits({ words, isBegun }: Phrase, word: string): boolean {
  return words.some(
    (one, i) =>
      one === word ||
      (isBegun && i === words.length - 1 && word.startsWith(one)) ||
      (isUnspaced(one) && one.includes(word)),
  )
}

function snippetOf({ text, marks }: Found): string {
  const start = Math.max(0, marks[0]!.from - BEFORE)
  const from = start === 0 ? 0 : text.indexOf(" ", start) + 1 || start
  const stop = Math.min(text.length, marks[0]!.to + BEHIND)
  const to = stop === text.length ? stop : Math.max(marks[0]!.to, text.lastIndexOf(" ", stop))
  const first = from > marks[0]!.from ? marks[0]!.from : from
  let out = first > 0 ? "…" : ""
  let at = first
  for (const mark of marks) {
    if (mark.to > to) break
    out += `${escaped(text.slice(at, mark.from))}<mark>${escaped(text.slice(mark.from, mark.to))}</mark>`
    at = mark.to
  }
  return `${out}${escaped(text.slice(at, to))}${to < text.length ? "…" : ""}`
}

function escaped(text: string): string {
  return Bun.escapeHTML(text.toWellFormed())
}
