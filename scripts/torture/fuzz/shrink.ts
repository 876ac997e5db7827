// A request that goes wrong, made smaller for as long as it still goes wrong.
import type { Sent } from "./sent.ts"

/** Requests that are tried at most. */
const TRIES = 300

/** The smallest request that was found for which `fails` still holds. */
export async function shrink(sent: Sent, fails: (smaller: Sent) => Promise<boolean>): Promise<Sent> {
  let least = sent
  let tries = 0
  for (let isSmaller = true; isSmaller && tries < TRIES; ) {
    isSmaller = false
    for (const smaller of smallerOnes(least)) {
      if (++tries > TRIES) break
      if (!(await fails(smaller))) continue
      least = smaller
      isSmaller = true
      break
    }
  }
  return least
}

function* smallerOnes(sent: Sent): Generator<Sent> {
  for (let i = 0; i < sent.headers.length; i++) yield { ...sent, headers: sent.headers.toSpliced(i, 1) }
  const [path = "", query] = sent.target.split("?", 2)
  const params = query?.split("&") ?? []
  for (let i = 0; i < params.length; i++) {
    const left = params.toSpliced(i, 1).join("&")
    yield { ...sent, target: left === "" ? path : `${path}?${left}` }
  }
  if (!sent.body) return
  yield { ...sent, body: undefined }
  const text = new TextDecoder().decode(sent.body)
  for (const smaller of smallerTexts(text)) yield { ...sent, body: new TextEncoder().encode(smaller) }
}

function* smallerTexts(text: string): Generator<string> {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    if (text.length > 1) yield* [text.slice(0, text.length / 2), text.slice(text.length / 2)]
    return
  }
  for (const smaller of smallerValues(json)) yield JSON.stringify(smaller)
}

/** Values with one thing less in them, the outer things first. */
function* smallerValues(value: unknown): Generator<unknown> {
  if (typeof value === "string" && value.length > 1) {
    yield value.slice(0, value.length / 2)
    yield value.slice(value.length / 2)
  }
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) yield value.toSpliced(i, 1)
    for (let i = 0; i < value.length; i++) for (const one of smallerValues(value[i])) yield value.with(i, one)
    return
  }
  if (typeof value !== "object" || value === null) return
  const entries = Object.entries(value)
  for (let i = 0; i < entries.length; i++) yield Object.fromEntries(entries.toSpliced(i, 1))
  for (const [i, [name, inner]] of entries.entries()) {
    for (const one of smallerValues(inner)) yield Object.fromEntries(entries.with(i, [name, one]))
  }
}
