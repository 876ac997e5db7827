// Lists of names on the wire.
import { isStorable } from "../../../core/text.ts"

/** A list on the wire: names with commas between, or several; commas in double quotes part nothing. */
export function terms(sent: readonly string[]): string[] {
  return sent.flatMap((one) => one.match(/(?:"(?:[^"]|"")*"|[^,"])+/g) ?? []).map((term) => term.trim())
}

/**
 * The name of an attribute in `attr:<name>`, as it is or in quotes as in filters, where a quote inside is written
 * twice; undefined for what names none.
 */
export function attributeInTerm(name: string): string | undefined {
  if (!name.startsWith("attr:")) return undefined
  const rest = name.slice("attr:".length)
  const plain = /^"(?:[^"]|"")*"$/.test(rest) ? rest.slice(1, -1).replaceAll('""', '"') : rest
  return plain !== "" && isStorable(plain) ? plain : undefined
}
