// The data of a trail row: how to return from the state after a change to the one before it, and ids in few bytes.
import type { ChangeAction, PushedFields } from "../../contract/changes.ts"
import { type ChangeFacts, packNames, unpackNames } from "../../tables/trail/change-facts.ts"

/** Bytes of a row beside its texts, with its place in the index of leads. */
export const ROW_BYTES = 60
/** Bytes from which on JSON is deflated. */
const PACK_FROM = 256
/** Characters up to which names of attributes have a number: longer lists are hardly said twice. */
const NUMBERED = 2_000

/** The columns of a row with what differs; `attributes` is a list of names as JSON. All null of an erased lead. */
export interface FactColumns {
  touched: number | null
  moved: number | null
  score: number | null
  score_before: number | null
  same: number | null
  attributes: string | null
  facts: string | Uint8Array | null
}

/** The JSON in `facts`. */
interface Rest extends Pick<ChangeFacts, "fields" | "done"> {
  /** Of a merged push: what it said otherwise than the lead has it, and attributes that have no number. */
  rest?: PushedFields["rest"]
  attributes?: string[]
}

interface Scores {
  before: number | null
  after: number | null
}

/** `at` is when the change was made, in Unix seconds; of a merge, `pushed` is what the push said. */
export function packFacts(
  { touched, moved, fields, done }: ChangeFacts,
  { before, after }: Scores,
  pushed: PushedFields | undefined,
  at: number,
): FactColumns {
  const isMoved = before !== null && after !== null && before !== after
  const { fields: same, attributes: names } = packNames(pushed?.same ?? [])
  const list = names.length > 0 ? JSON.stringify(names) : null
  const isNumbered = list !== null && list.length <= NUMBERED
  const rest: Rest = {
    ...(done && { done }),
    ...(fields?.length && { fields }),
    ...(pushed && Object.keys(pushed.rest).length > 0 && { rest: pushed.rest }),
    ...(list !== null && !isNumbered && { attributes: names }),
  }
  return {
    touched: touched === undefined ? null : at - touched,
    moved: moved === undefined ? null : at - moved,
    score: after ?? before,
    score_before: isMoved ? before : null,
    same: pushed ? same : null,
    attributes: isNumbered ? list : null,
    facts: Object.keys(rest).length > 0 ? packText(JSON.stringify(rest)) : null,
  }
}

export function unpackFacts(
  { touched, moved, score, score_before, facts }: Omit<FactColumns, "same" | "attributes">,
  at: number,
): ChangeFacts {
  const { fields, done }: Rest = facts === null ? {} : JSON.parse(unpackText(facts))
  return {
    ...(done && { done }),
    ...(touched !== null && { touched: at - touched }),
    ...(moved !== null && { moved: at - moved }),
    ...(fields && { fields }),
    ...(score !== null && { score: [score_before ?? score, score] as const }),
  }
}

/** Undefined where nothing is kept of what was pushed. */
export function unpackPushed({
  same,
  attributes,
  facts,
}: Pick<FactColumns, "same" | "attributes" | "facts">): PushedFields | undefined {
  if (same === null) return undefined
  const { rest = {}, attributes: long = [] }: Rest = facts === null ? {} : JSON.parse(unpackText(facts))
  const names: string[] = attributes === null ? long : JSON.parse(attributes)
  return { same: unpackNames({ fields: same, attributes: names }), rest }
}

/** The lead's score before and after a change of this kind; null where there was no lead, and of an erased one. */
export function scoresOf(
  action: ChangeAction,
  { score, score_before }: Pick<FactColumns, "score" | "score_before">,
): Scores {
  return {
    before: action === "created" ? null : (score_before ?? score),
    after: action === "deleted" ? null : score,
  }
}

/** JSON as it is kept: as it is while it is short. */
function packText(text: string): string | Uint8Array {
  return Buffer.byteLength(text) < PACK_FROM ? text : Bun.deflateSync(text)
}

export function unpackText(packed: string | Uint8Array): string {
  return typeof packed === "string" ? packed : Buffer.from(Bun.inflateSync(new Uint8Array(packed))).toString()
}

/** A lead's or batch's id in 16 bytes, where it is what we make: `cl_` or nothing, and a UUID. Else as it is. */
export function packId(id: string, prefix: "cl_" | ""): Uint8Array | string {
  const uuid = id.slice(prefix.length)
  const isOurs = id.startsWith(prefix) && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(uuid)
  return isOurs ? Buffer.from(uuid.replaceAll("-", ""), "hex") : id
}

export function unpackId(packed: Uint8Array | string, prefix: "cl_" | ""): string {
  if (typeof packed === "string") return packed
  const hex = Buffer.from(packed).toString("hex")
  return `${prefix}${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
