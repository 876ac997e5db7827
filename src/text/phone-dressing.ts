// What people and programs write around a phone number: labels, marks that are not seen, remarks, extensions.
import { withoutInvisible } from "./invisible.ts"

interface BarePhone {
  /** Without what stands around it, and without an extension. */
  number: string
  /** Digits. */
  extension?: string
}

/** Digits and their separators alone. */
const PLAIN = /^\+?[\d ()./-]*$/
/** Longer texts are no phone numbers. */
const LENGTH_MAX = 200
/** Digits from which on a text with a label is a number: fewer are a room or a house. */
const DIGITS_MIN = 5
/** A label, up to the number or the bracket that it begins with. */
const LABEL = /^(?:[^\d+(]|\([^\d()+]*\))*/
/** Digits of other scripts, which stand in tens. */
const OTHER_DIGITS = /(?!\d)\p{Nd}/gu
function western(digit: string): string {
  const code = digit.codePointAt(0)!
  let zero = code
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
  return String(code - zero)
}
/** Words for a number of a telephone system behind the number of its owner, in the languages that files come in. */
const EXTENSIONS = new Set(
  (
    "ext extn extension x durchwahl durchw dw klappe kl app apparat nst nebenstelle poste int interno interni internal anexo ramal " +
    "extensión extensao extensão toestel tst dahili wew wewn wewnętrzny linka klapka mellék доб добавочный вн внутр внутренний " +
    "分机 分機 内线 內線 内線 转 轉 転 구내 내선 داخلی داخلي تحويلة שלוחה ต่อ nhánh lẻ anknytning ankn lokal lokalnummer alanumero εσωτ"
  ).split(" "),
)
/** Words for the kind of a number, where they stand behind it. */
const KINDS = new Set(
  (
    "büro office work home private privat mobil mobile handy cell fax zentrale central direct direkt m w h o p t f tel phone " +
    "dienstlich geschäftlich casa móvil movil oficina bureau portable domicile ufficio"
  ).split(" "),
)

/** The number within a text: both as they are where nothing stands around it. */
export function barePhone(said: string): BarePhone {
  if (PLAIN.test(said) || said.length > LENGTH_MAX) return { number: said }
  const text = withoutInvisible(said).trim().normalize("NFKC").replaceAll(OTHER_DIGITS, western)
  if (PLAIN.test(text)) return { number: text }
  const uri = ofUri(text)
  if (uri) return uri
  const { number, extension } = splitExtension(text)
  const bare = undressed(number)
  return extension === undefined ? { number: bare } : { number: bare, extension }
}

/** A text without label and remarks; with its extension as it was said. */
export function undressedPhone(said: string): string {
  const { number, extension } = barePhone(said)
  return extension === undefined ? number : `${number} ext. ${extension}`
}

const digitsIn = (text: string) => text.replaceAll(/\D+/g, "").length

/** A `tel:` address with its parameters (RFC 3966). */
function ofUri(text: string): BarePhone | undefined {
  if (!/^tel:/i.test(text)) return undefined
  const [number = "", ...parameters] = text.slice("tel:".length).split(";")
  if (!PLAIN.test(number) || !parameters.every((one) => one.includes("="))) return undefined
  const extension = parameters.flatMap((one) => /^ext=(\d{1,7})$/i.exec(one)?.[1] ?? [])[0]
  return { number: number.trim(), ...(extension !== undefined && { extension }) }
}

/** Splits off digits at the end behind a word for an extension, or behind `#` or `,,`. */
function splitExtension(text: string): BarePhone {
  let end = text.length
  while (end > 0 && /[\s).;,]/.test(text[end - 1]!)) end--
  let start = end
  while (start > 0 && end - start < 8 && /\d/.test(text[start - 1]!)) start--
  const extension = text.slice(start, end)
  if (extension === "" || extension.length > 7) return { number: text }
  const before = text.slice(0, start).trimEnd()
  const word = wordAtEnd(before.replace(/[.:)=]{1,3}$/, "").trimEnd())
  const rest = /#$|,,$/.test(before)
    ? before.slice(0, -1)
    : EXTENSIONS.has(word.toLowerCase())
      ? before.slice(0, before.lastIndexOf(word))
      : undefined
  return rest !== undefined && digitsIn(rest) >= DIGITS_MIN ? { number: rest, extension } : { number: text }
}

function wordAtEnd(text: string): string {
  let at = text.length
  while (at > 0 && text.length - at < 20 && /[\p{L}\p{M}]/u.test(text[at - 1]!)) at--
  return text.slice(at)
}

function undressed(text: string): string {
  const label = LABEL.exec(text)?.[0] ?? ""
  const number = label !== "" && digitsIn(text) >= DIGITS_MIN ? text.slice(label.length) : text
  let last = number.length
  while (last > 0 && !/\d/.test(number[last - 1]!)) last--
  const remark = number.slice(last).replaceAll(/\([^()]*\)/g, "")
  const words = remark.toLowerCase().match(/\p{L}+/gu) ?? []
  return last > 0 && words.every((one) => KINDS.has(one)) ? number.slice(0, last) : number
}
