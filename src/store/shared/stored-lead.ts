// A lead as it lies in the file: the JSON text of its data, and the score apart from it.
import type { LeadData } from "../../core/lead.ts"
import type { LeadRow, StoredLead } from "../store.ts"

const utf8 = new TextDecoder()
/** `,"score":` with a number and a brace. */
const SCORE_MAX = 40

/** A lead of a list. Lists are passed on: no string is made of what is stored. Rows of SQLite get this prototype. */
export class ListedLead implements StoredLead {
  declare readonly ref: number
  /** The JSON text of the data as UTF-8. */
  declare readonly bytes: Uint8Array
  declare readonly score: number

  get room(): number {
    return this.bytes.length + SCORE_MAX
  }

  data(): LeadData {
    return JSON.parse(utf8.decode(this.bytes))
  }

  json(more?: object): string {
    return wholeText(utf8.decode(this.bytes), this.score, more)
  }

  writeJson(out: Buffer, at: number): number {
    out.set(this.bytes, at)
    // Over the brace that ends the data.
    const end = at + this.bytes.length - 1
    return end + out.write(`,"score":${this.score}}`, end, "latin1")
  }
}

/** A lead that is read alone. Rows of SQLite get this prototype. */
export class SingleLead implements LeadRow {
  declare readonly ref: number
  /** The JSON text of the data. */
  declare readonly text: string
  declare readonly score: number
  declare readonly version: number

  static of(row: Pick<SingleLead, "ref" | "text" | "score" | "version">): SingleLead {
    return Object.assign(new SingleLead(), row)
  }

  get room(): number {
    return this.text.length * 3 + SCORE_MAX
  }

  data(): LeadData {
    return JSON.parse(this.text)
  }

  json(more?: object): string {
    return wholeText(this.text, this.score, more)
  }

  writeJson(out: Buffer, at: number): number {
    return at + out.write(this.json(), at)
  }
}

/** The JSON text of a whole lead, with the members of `more` behind its own. */
function wholeText(data: string, score: number, more: object = {}): string {
  const members = JSON.stringify(more).slice(1, -1)
  return `${data.slice(0, -1)},"score":${score}${members && `,${members}`}}`
}
