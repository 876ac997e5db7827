/** The value that each entry of an answer has under a key, or a list of those that it has under several. */
// biome-ignore lint/suspicious/noExplicitAny: entries of any shape
export function pluck(entries: readonly any[], ...keys: string[]): any[] {
  return entries.map((entry) => (keys.length === 1 ? entry[keys[0]!] : keys.map((key) => entry[key])))
}
