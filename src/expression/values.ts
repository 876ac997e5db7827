// Conversions of values whose type is known only at run time. Generated code calls them.

import { characters } from "../text/characters.ts"
import { fold } from "../text/text.ts"
import { includesText, spend } from "./budget.ts"

/** No number that anybody writes is longer. */
const NUMBER_MAX = 1_000

/** A text's number when the whole of it, outer spaces aside, is a decimal number such as `-12.5` or `1e3`; else 0. */
export function numberOfText(text: string): number {
  if (text.length > NUMBER_MAX) return 0
  const number = Number(text)
  if (number === 0 || !Number.isFinite(number)) return 0
  return /[xob]/i.test(text) ? 0 : number
}

/** A value in arithmetic: a bool is 1 or 0, a list its length, an object and what is missing 0. Always finite. */
export function numberOf(value: unknown): number {
  if (value === undefined) return 0
  if (typeof value === "number") return Number.isFinite(value) ? value : 0
  if (typeof value === "string") return numberOfText(value)
  if (typeof value === "boolean") return value ? 1 : 0
  return Array.isArray(value) ? value.length : 0
}

/** A value as a condition: false is what is missing, 0, an empty text, an empty list and an object without keys. */
export function truthOf(value: unknown): boolean {
  if (value === undefined) return false
  if (typeof value === "string") return value !== ""
  return isObject(value) ? lengthOf(value) !== 0 : numberOf(value) !== 0
}

/** Characters (code points) of a text, items of a list, keys of an object; 0 of anything else. */
export function lengthOf(value: unknown): number {
  if (typeof value === "string") return spend(value.length) ? characters(value) : 0
  if (Array.isArray(value)) return value.length
  return isObject(value) ? Object.keys(value).length : 0
}

/** Whether a value is missing, an empty text, an empty list or an object without keys: what `null` equals. */
export function isEmptyValue(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true
  return isObject(value) && lengthOf(value) === 0
}

/** `==`: two texts by their characters, a text never with a list or an object, all else by number. */
export function equal(a: unknown, b: unknown): boolean {
  const left = a ?? (typeof b === "string" ? "" : 0)
  const right = b ?? (typeof a === "string" ? "" : 0)
  if (typeof left === "string") {
    if (typeof right === "string") return left === right
    if (isObject(right)) return false
  } else if (typeof right === "string" && isObject(left)) return false
  return numberOf(left) === numberOf(right)
}

/** A value's text, or the texts of a list, in the form that is compared ignoring case. */
export function folded(value: unknown): string | string[] {
  if (typeof value === "string") return spend(value.length) ? fold(value) : ""
  if (Array.isArray(value))
    return value.map((item) => (typeof item === "string" && spend(item.length) ? fold(item) : ""))
  if (value === null || value === undefined || isObject(value)) return ""
  return String(numberOf(value))
}

/** Of folded values: whether a text holds a part, or a list an item. What is empty is found nowhere. */
export function contains(inside: string | string[], part: string | string[]): boolean {
  if (typeof part !== "string" || part === "" || !spend(inside.length + part.length)) return false
  return typeof inside === "string" ? includesText(inside, part) : inside.includes(part)
}

/** Of folded values: whether a list holds an item; false for what is no list. */
export function has(list: string | string[], item: string | string[]): boolean {
  return typeof list !== "string" && contains(list, item)
}

/** The score: the sum of values by weight, held to 0 to 100. What overflows by its weight brings nothing. */
export function total(values: readonly number[], weights: readonly number[]): number {
  let sum = 0
  for (const [i, value] of values.entries()) sum += contribution(value, weights[i]!)
  return Math.min(100, Math.max(0, sum))
}

/** A value by its weight, 0 where that overflows. */
export function contribution(value: number, weight: number): number {
  const product = value * weight + 0
  return Number.isFinite(product) ? product : 0
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null
}
