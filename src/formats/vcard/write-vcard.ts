// Writes vCards of version 3.0 (RFC 2426), which every address book reads. The libraries tried keep all cards in memory or
// write one property a class; what is needed of the format is here.

/** Bytes of a line; longer ones go on in lines that begin with a space. */
const LINE_MAX = 75

export interface CardProperty {
  name: string
  /** Such as `["TYPE", "WORK"]`. */
  parameters?: readonly (readonly [name: string, value: string])[]
  /** Escaped already: see `escaped` and `structured`. */
  value: string
  /** A label of its own, which programs show in place of a type. */
  label?: string | undefined
}

/** A text as a value. */
export function escaped(text: string): string {
  return text
    .replaceAll("\\", "\\\\")
    .replaceAll(/\r\n?|\n/g, "\\n")
    .replaceAll(",", "\\,")
    .replaceAll(";", "\\;")
}

/** A value of parts, such as a name or an address. */
export function structured(parts: readonly (string | null)[]): string {
  return parts.map((part) => escaped(part ?? "")).join(";")
}

/** One card, its lines ended by CRLF. */
export function cardText(properties: readonly CardProperty[]): string {
  const lines = ["BEGIN:VCARD", "VERSION:3.0"]
  let items = 0
  for (const { name, parameters = [], value, label } of properties) {
    const more = parameters.map(([key, of]) => `;${key}=${of.replaceAll(/[^\w.,-]/g, "")}`).join("")
    if (label === undefined) lines.push(`${name}${more}:${value}`)
    else {
      items++
      lines.push(`item${items}.${name}${more}:${value}`, `item${items}.X-ABLabel:${escaped(label)}`)
    }
  }
  lines.push("END:VCARD")
  return lines.map((line) => `${folded(line)}\r\n`).join("")
}

/** Cuts a line between characters into lines of at most 75 bytes. */
function folded(line: string): string {
  if (line.length * 3 <= LINE_MAX || Buffer.byteLength(line) <= LINE_MAX) return line
  let out = ""
  let room = LINE_MAX
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (size > room) {
      out += "\r\n "
      room = LINE_MAX - 1
    }
    out += character
    room -= size
  }
  return out
}
