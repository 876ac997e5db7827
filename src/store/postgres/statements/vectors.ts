// Words of leads as PostgreSQL keeps them, and what it is asked for. Folded words are letters and digits: nothing in them
// needs quoting.

import type { Phrase, WordsCondition } from "../../../filters/lead-query.ts"
import type { LeadData } from "../../../lead/lead.ts"
import { leadWords, WORD_GROUP_NAMES, type WordGroup } from "../../../lead/lead-words.ts"

/** The places of each group's words. */
const LABELS = { name: "A", kind: "B", contact: "B", place: "C", text: "D" } as const

/** Bytes of one lead's words: a vector has room for a megabyte. */
const BYTES_MAX = 400_000
/** PostgreSQL's limits on positions, and on positions of one word. */
const PLACES_MAX = 16_383
const PLACES_OF_ONE = 255

export type GroupedWords = Record<WordGroup, string[]>

const prefixOf = (account: number, kind: "w" | "n") => `${account.toString(36)}${kind}:`

/** The words of a lead and of its notes, both as vectors; null for no notes. */
export function vectorsOf(account: number, words: GroupedWords): { lead: string; notes: string | null } {
  const lead = createVector(prefixOf(account, "w"))
  for (const group of WORD_GROUP_NAMES) if (group !== "notes") lead.add(words[group], LABELS[group])
  const notes = createVector(prefixOf(account, "n"))
  notes.add(words.notes, "D")
  return { lead: lead.text(), notes: words.notes.length === 0 ? null : notes.text() }
}

export function wordsOfLead(lead: LeadData, notes: readonly string[] = []): GroupedWords {
  return leadWords(lead, notes)
}

function createVector(prefix: string) {
  const places = new Map<string, string[]>()
  let bytes = 0
  let place = 0
  return {
    add(words: readonly string[], label: string): void {
      for (const word of words) {
        place = Math.min(place + 1, PLACES_MAX)
        const there = places.get(word)
        bytes += there ? 2 : Buffer.byteLength(word) + prefix.length + 8
        if (bytes > BYTES_MAX) return
        if (!there) places.set(word, [`${place}${label}`])
        else if (there.length < PLACES_OF_ONE) there.push(`${place}${label}`)
      }
      // Words of two groups do not stand next to each other.
      place++
    },
    text: () => [...places].map(([word, all]) => `'${prefix}${word}':${all.join(",")}`).join(" "),
  }
}

/** A question for vectors; with labels all words must be in fields of these. */
export function queryText(account: number, { all, none }: WordsCondition, labels = ""): string {
  const wanted = all.map((phrases) => anyOf(account, phrases, labels))
  const unwanted = none.map((phrases) => `!${anyOf(account, phrases, "")}`)
  return [...wanted, ...unwanted].join(" & ")
}

/** One of several phrases, in a lead itself or, without labels, in its notes. */
export function anyOf(account: number, phrases: readonly Phrase[], labels: string): string {
  const kinds = labels === "" ? (["w", "n"] as const) : (["w"] as const)
  const each = phrases.flatMap((phrase) => kinds.map((kind) => phraseText(account, phrase, kind, labels)))
  return `(${each.join(" | ")})`
}

export function phraseText(
  account: number,
  { words, isBegun }: Phrase,
  kind: "w" | "n",
  labels: string,
): string {
  const prefix = prefixOf(account, kind)
  const last = words.length - 1
  const each = words.map((word, i) => {
    const flags = `${labels}${isBegun && i === last ? "*" : ""}`
    return `'${prefix}${word}'${flags === "" ? "" : `:${flags}`}`
  })
  return each.length === 1 ? each[0]! : `(${each.join(" <-> ")})`
}
