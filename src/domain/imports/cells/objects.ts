// Cuts nested data to the size of an attribute.
import { OBJECT_BYTES_MAX, OBJECT_DEPTH_MAX } from "../../../lead/fields.ts"
import type { Json } from "../../../lead/lead.ts"

type JsonObject = { [key: string]: Json }

/** Limits on lists and texts, each stricter than the last, until an object fits. */
const CUTS: readonly (readonly [items: number, characters: number])[] = [
  [100, 2_000],
  [30, 1_000],
  [10, 500],
  [5, 200],
  [3, 100],
  [1, 50],
]

/** Cuts an object to 16 KiB and 32 levels: its lists and texts first, then its largest parts. */
export function fitObject(object: JsonObject): { object: JsonObject; isCut: boolean } {
  const clean = cut(object, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 1) as JsonObject
  const isDeep = JSON.stringify(clean) !== JSON.stringify(object)
  if (fits(clean)) return { object: clean, isCut: isDeep }
  for (const [items, characters] of CUTS) {
    const smaller = cut(clean, items, characters, 1) as JsonObject
    if (fits(smaller)) return { object: smaller, isCut: true }
  }
  const rest = cut(clean, 1, 50, 1) as JsonObject
  return { object: withoutLargest(rest), isCut: true }
}

/** The object without as many of its largest parts as do not fit. Sizes are added up: it may have 100,000 parts. */
function withoutLargest(object: JsonObject): JsonObject {
  let size = sizeOf(object)
  const parts = Object.entries(object).map(([key, value]) => ({ key, size: sizeOf(value) }))
  const left = new Set<string>()
  for (const part of parts.toSorted((a, b) => b.size - a.size)) {
    left.add(part.key)
    // With its colon and comma.
    size -= sizeOf(part.key) + part.size + 2
    if (size <= OBJECT_BYTES_MAX) break
  }
  return Object.fromEntries(Object.entries(object).filter(([key]) => !left.has(key)))
}

function sizeOf(value: Json): number {
  return Buffer.byteLength(JSON.stringify(value) ?? "")
}

function fits(object: JsonObject): boolean {
  return sizeOf(object) <= OBJECT_BYTES_MAX
}

function cut(value: Json, items: number, characters: number, depth: number): Json {
  if (typeof value === "string") {
    const text = value.length > characters ? `${value.slice(0, characters - 1)}…` : value
    return text.toWellFormed().replaceAll("\0", "")
  }
  if (typeof value !== "object" || value === null) return value
  if (depth > OBJECT_DEPTH_MAX) return null
  if (Array.isArray(value))
    return value.slice(0, items).map((item) => cut(item, items, characters, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [
      key.toWellFormed().replaceAll("\0", ""),
      cut(child, items, characters, depth + 1),
    ]),
  )
}
