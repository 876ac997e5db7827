// How much text the rules of one lead may look through: rules and leads are both written by clients, and their product
// must not hold up anybody else.

/** Characters that all rules together may look at for one lead: some 3 ms at worst. */
export const WORK_MAX = 1_000_000

let left = WORK_MAX
let isOver = false
let cutOff = 0

/** Begins with a lead. */
export function beginWork(): void {
  left = WORK_MAX
  isOver = false
}

/** Takes so much from what is left; false when it is used up, and the rules that go on then bring nothing. */
export function spend(characters: number): boolean {
  if (isOver) return false
  left -= characters
  if (left >= 0) return true
  isOver = true
  cutOff++
  return false
}

/** Whether the work was cut off on this lead. */
export function isWorkOver(): boolean {
  return isOver
}

/** Leads whose rules were cut off on this thread since the start. */
export function workCutOff(): number {
  return cutOff
}

/** Products below this the platform's own search does in time, whatever the texts. */
const SMALL = 2 ** 20

/** Whether a text holds another, in time that grows with the sum of their lengths and not with the product. */
export function includesText(text: string, part: string): boolean {
  if (part.length > text.length) return false
  if (text.length * part.length <= SMALL) return text.includes(part)
  // Knuth, Morris and Pratt: `back[i]` is how much of the part's beginning ends at i.
  const back = new Uint32Array(part.length)
  for (let i = 1, k = 0; i < part.length; i++) {
    while (k > 0 && part.charCodeAt(i) !== part.charCodeAt(k)) k = back[k - 1]!
    if (part.charCodeAt(i) === part.charCodeAt(k)) k++
    back[i] = k
  }
  for (let i = 0, k = 0; i < text.length; i++) {
    while (k > 0 && text.charCodeAt(i) !== part.charCodeAt(k)) k = back[k - 1]!
    if (text.charCodeAt(i) === part.charCodeAt(k)) k++
    if (k === part.length) return true
  }
  return false
}
