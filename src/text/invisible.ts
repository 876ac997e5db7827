// Characters that are not seen: copied along with a value, they would make it another one.
const INVISIBLE = /\p{Cf}|\p{Variation_Selector}|\u034f|[\u115f\u1160\u3164]/gu
const ASCII = /^[\t\n\r\x20-\x7e]*$/

/** A text without marks of direction, soft hyphens, spaces of no width and the like. */
export function withoutInvisible(text: string): string {
  return ASCII.test(text) ? text : text.replaceAll(INVISIBLE, "")
}
