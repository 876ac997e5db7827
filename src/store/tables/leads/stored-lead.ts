// A lead as it lies in the file: the JSON text of its data, its activity and its score apart from it.
import { dropPlainLists } from "../../../lead/contacts.ts"
import { type Activity, type LeadData, laterOf, NO_ACTIVITY } from "../../../lead/lead.ts"
import type { LeadRow, StoredLead } from "../../contract/store.ts"
import { completedBytes, completedText, SHAPE } from "./shape.ts"

const utf8 = new TextDecoder()
/** The text before the score of a lead without activity. */
const NOTHING_DONE = JSON.stringify(NO_ACTIVITY).slice(1, -1)
/** Bytes after the data at most: four numbers with their names, `,"score":` with a number, and a brace. */
const BEHIND_MAX = 200

/** SQL for the column `activity` of `lead_scores` out of those of `leads`: members of JSON. */
export const ACTIVITY_TEXT = `'"last_note_at":' || coalesce(CAST(last_note_at AS TEXT), 'null') ||
  ',"note_count":' || CAST(note_count AS TEXT) ||
  ',"last_contacted_at":' || coalesce(CAST(last_contacted_at AS TEXT), 'null')`

/** A lead of a list. Lists are passed on: no string is made of what is stored. Rows of SQLite get this prototype. */
export class ListedLead implements StoredLead {
  declare readonly ref: number
  /** The document as it is stored, and its shape. */
  declare private document: Uint8Array
  declare private shape: number
  /** Its members as JSON; null where nothing was done. */
  declare readonly done: string | null
  declare readonly score: number

  static of({ ref, document, shape, done, score }: ListedRow): ListedLead {
    return Object.assign(new ListedLead(), { ref, document, shape, done, score })
  }

  /** The JSON text of the data as UTF-8, with all of today's fields and both lists of contacts. */
  get bytes(): Uint8Array {
    if (this.shape < SHAPE) {
      this.document = completedBytes(this.document, this.shape)
      this.shape = SHAPE
    }
    return this.document
  }

  get activity(): Activity {
    return activityOf(this.done)
  }

  get lastTouchedAt(): number {
    return touchedAt(timeInBytes(this.bytes), this.done)
  }

  get room(): number {
    return this.bytes.length + BEHIND_MAX
  }

  data(): LeadData {
    return dropPlainLists(JSON.parse(utf8.decode(this.bytes)))
  }

  json(more?: object): string {
    return wholeText(utf8.decode(this.bytes), this, this.lastTouchedAt, more)
  }

  writeJson(out: Buffer, at: number): number {
    out.set(this.bytes, at)
    // Over the brace that ends the data.
    const end = at + this.bytes.length - 1
    return end + out.write(behindData(this, this.lastTouchedAt), end, "latin1")
  }
}

/** Columns of a listed lead. */
export interface ListedRow extends Pick<ListedLead, "ref" | "done" | "score"> {
  document: Uint8Array
  shape: number
}

/** Columns of a lead that is read alone. */
export interface SingleRow extends Pick<SingleLead, "ref" | "done" | "score" | "version"> {
  text: string
  /** Today's, unless told. */
  shape?: number
}

/** A lead that is read alone. Rows of SQLite get this prototype. */
export class SingleLead implements LeadRow {
  declare readonly ref: number
  /** The document as it is stored, and its shape. */
  declare private stored: string
  declare private shape: number
  /** Its members as JSON; null where nothing was done. */
  declare readonly done: string | null
  declare readonly score: number
  declare readonly version: number

  static of({ ref, text, shape = SHAPE, done, score, version }: SingleRow): SingleLead {
    const stored = shape < SHAPE ? completedText(text, shape) : text
    return Object.assign(new SingleLead(), { ref, stored, shape: SHAPE, done, score, version })
  }

  /** The JSON text of the data with all of today's fields and both lists of contacts. */
  get text(): string {
    if (this.shape < SHAPE) {
      this.stored = completedText(this.stored, this.shape)
      this.shape = SHAPE
    }
    return this.stored
  }

  get activity(): Activity {
    return activityOf(this.done)
  }

  get lastTouchedAt(): number {
    return touchedAt(timeInText(this.text), this.done)
  }

  get room(): number {
    return this.text.length * 3 + BEHIND_MAX
  }

  data(): LeadData {
    return dropPlainLists(JSON.parse(this.text))
  }

  json(more?: object): string {
    return wholeText(this.text, this, this.lastTouchedAt, more)
  }

  writeJson(out: Buffer, at: number): number {
    return at + out.write(this.json(), at)
  }
}

/** The members of an activity as they are kept: null where nothing was done. */
export function doneText(activity: Activity): string | null {
  const { last_note_at, note_count, last_contacted_at } = activity
  if (note_count === 0 && last_note_at === null && last_contacted_at === null) return null
  return JSON.stringify({ last_note_at, note_count, last_contacted_at }).slice(1, -1)
}

export function activityOf(done: string | null): Activity {
  return done === null ? NO_ACTIVITY : JSON.parse(`{${done}}`)
}

/** Text behind the data in a lead's JSON. */
function behindData({ done, score }: { done: string | null; score: number }, touched: number): string {
  return `,${done ?? NOTHING_DONE},"last_touched_at":${touched},"score":${score}}`
}

function touchedAt(time: number, done: string | null): number {
  if (done === null) return time
  const { last_note_at, last_contacted_at } = activityOf(done)
  return Math.max(time, laterOf(last_note_at, last_contacted_at) ?? 0)
}

const UPDATED = '"updated_at":'
const INTERACTION = ',"last_interaction_at":'
const UPDATED_BYTES = Buffer.from(UPDATED)
const COMMA = 44

/**
 * The later of `updated_at` and `last_interaction_at`. Quotes within texts are escaped, so that the first place where a
 * name stands in quotes is its member.
 */
function timeInText(text: string): number {
  const at = (name: string) => Number.parseInt(text.slice(text.indexOf(name) + name.length), 10)
  return Math.max(at(UPDATED), at(INTERACTION))
}

/** The JSON text of a lead's data with another time of the last interaction. */
export function withInteraction(text: string, at: number): string {
  const begin = text.indexOf(INTERACTION) + INTERACTION.length
  return `${text.slice(0, begin)}${at}${text.slice(text.indexOf(",", begin))}`
}

/** Like `timeInText`, without making a string of a listed lead; both members follow each other. */
function timeInBytes(bytes: Uint8Array): number {
  // A view of its own would take as long as the search.
  const updated = Buffer.prototype.indexOf.call(bytes, UPDATED_BYTES) + UPDATED.length
  let end = updated
  while (bytes[end] !== COMMA) end++
  return Math.max(numberFrom(bytes, updated), numberFrom(bytes, end + INTERACTION.length))
}

/** The whole number whose digits begin here. */
function numberFrom(bytes: Uint8Array, start: number): number {
  let number = 0
  for (let i = start; ; i++) {
    const digit = bytes[i]! - 48
    if (!(digit >= 0 && digit <= 9)) return number
    number = number * 10 + digit
  }
}

/** The JSON text of a whole lead, with the members of `more` behind its own. */
function wholeText(
  data: string,
  lead: { done: string | null; score: number },
  touched: number,
  more?: object,
): string {
  const members = more === undefined ? "" : JSON.stringify(more).slice(1, -1)
  const whole = data.slice(0, -1) + behindData(lead, touched)
  return members ? `${whole.slice(0, -1)},${members}}` : whole
}
