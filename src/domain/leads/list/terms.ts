// Parses lists of names in query parameters.
import { isStorable } from "../../../text/text.ts"

/** Splits a list: names separated by commas, or repeated; commas in double quotes do not separate. */
export function terms(sent: readonly string[]): string[] {
  return sent.flatMap((one) => one.match(/(?:"(?:[^"]|"")*"|[^,"])+/g) ?? []).map((term) => term.trim())
}

/**
 * The name in `attr:<name>`, plain or in quotes as in filters, where a quote is written twice; undefined for other
 * terms.
 */
export function attributeInTerm(name: string): string | undefined {
  if (!name.startsWith("attr:")) return undefined
  const rest = name.slice("attr:".length)
  const plain = /^"(?:[^"]|"")*"$/.test(rest) ? rest.slice(1, -1).replaceAll('""', '"') : rest
  return plain !== "" && isStorable(plain) ? plain : undefined
}
