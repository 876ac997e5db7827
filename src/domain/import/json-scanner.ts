// The elements of a JSON array out of a text that comes in pieces. Only brackets, quotes and commas are looked at; the
// elements themselves are parsed one by one.
import { badRequest } from "../../core/errors.ts"
import { ROW_MAX } from "./rows.ts"

export interface JsonElement {
  line: number
  /** Undefined when it was too long to be kept. */
  text: string | undefined
}

/** The keys under which an object may hold the leads: as lists and tools answer. */
const LISTS = ["leads", "data"]
const WRONG = 'the file must be a JSON array of leads, or an object with "leads"'
const [SPACE, QUOTE, COMMA, COLON, OPEN, BACKSLASH, CLOSE, LF] = [32, 34, 44, 58, 91, 92, 93, 10]
const [OPEN_OBJECT, CLOSE_OBJECT] = [123, 125]

/** Takes pieces; gives the elements that are whole by now. Throws `bad_request` for what is no array of leads. */
export function jsonScanner(): { push(text: string): JsonElement[]; end(): void } {
  let state: "start" | "object" | "array" | "done" = "start"
  let isWrapped = false
  let depth = 0
  let isText = false
  let isEscaped = false
  let line = 1
  /** What was kept of the element, or of the last text in the object around the array. */
  let kept = ""
  let began = 0
  let hasBegun = false
  let isTooLong = false

  function push(text: string): JsonElement[] {
    const elements: JsonElement[] = []
    let from = 0
    const take = (to: number) => {
      if (!isTooLong) kept += text.slice(from, to)
      if (kept.length > ROW_MAX) {
        kept = ""
        isTooLong = true
      }
    }
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at)
      if (unit === LF) line++
      if (isText) {
        if (isEscaped) isEscaped = false
        else if (unit === BACKSLASH) isEscaped = true
        else if (unit === QUOTE) {
          isText = false
          if (state === "object" && depth === 1) take(at)
        }
        continue
      }
      if (unit <= SPACE || unit === 0xfeff) continue
      if (state === "array") {
        const ends = depth === 0 && (unit === COMMA || unit === CLOSE)
        if (ends) {
          take(at)
          finish(elements, unit === CLOSE)
          continue
        }
        if (!hasBegun) {
          hasBegun = true
          began = line
          from = at
        }
        if (unit === QUOTE) isText = true
        else if (unit === OPEN || unit === OPEN_OBJECT) depth++
        else if (unit === CLOSE || unit === CLOSE_OBJECT) depth--
        if (depth < 0) throw badRequest(`line ${line}: a bracket is closed that was never opened`)
        continue
      }
      if (state === "done") {
        if (!isWrapped) throw badRequest(`line ${line}: something follows the end of the JSON array`)
        continue
      }
      if (state === "start") {
        if (unit !== OPEN && unit !== OPEN_OBJECT) throw badRequest(WRONG)
        state = unit === OPEN ? "array" : "object"
        isWrapped = unit === OPEN_OBJECT
        depth = isWrapped ? 1 : 0
        continue
      }
      // In the object around the array.
      if (unit === QUOTE) {
        isText = true
        kept = ""
        from = at + 1
      } else if (unit === OPEN && depth === 1 && LISTS.includes(kept)) {
        state = "array"
        depth = 0
        kept = ""
      } else if (unit === OPEN || unit === OPEN_OBJECT) depth++
      else if (unit === CLOSE || unit === CLOSE_OBJECT) depth--
      else if (unit === COMMA && depth === 1) kept = ""
      else if (unit !== COLON && depth === 0) throw badRequest(WRONG)
      if (depth === 0 && state === "object") throw badRequest(WRONG)
    }
    if (hasBegun || (isText && state === "object")) take(text.length)
    return elements
  }

  function finish(elements: JsonElement[], isEnd: boolean): void {
    if (hasBegun) elements.push({ line: began, text: isTooLong ? undefined : kept })
    kept = ""
    hasBegun = false
    isTooLong = false
    if (isEnd) state = "done"
  }

  function end(): void {
    if (state === "start") throw badRequest(`the file is empty: ${WRONG.replace("the file ", "it ")}`)
    if (state !== "done")
      throw badRequest(`the JSON array is never closed: the file seems to be cut off in line ${line}`)
  }

  return { push, end }
}
