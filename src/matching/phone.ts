import free from "./data/free-phones.json"
import countries from "./data/phone-countries.json"

export interface Phone {
  /** National digits without the country's number and without the digit that is dialled before them at home. */
  national: string
  /** The country's number, "" when not known. */
  country: string
}

const FREE = new Map(Object.entries(free).map(([code, beginning]) => [code, new RegExp(`^${beginning}`)]))

/** A number for a whole country, which a company's places share: free of charge, or at one price from anywhere. */
export function isForAll({ national, country }: Phone): boolean {
  return FREE.get(country)?.test(national) ?? false
}

const RULES = countries as unknown as Record<string, [string, string]>
const CODES = new Set([...Object.values(RULES).map(([code]) => code), ...Object.keys(free)])

const EXTENSION =
  /\b(?:ext(?:ension)?|extn|apparat|app|poste|int(?:erno)?|ramal|anexo|wew|klapka|dahili|toestel|доб)\b\.?|#|x\s*\d|durchwahl|dw\b|[;,]|\bor\b|\boder\b|\/\s*\+/i

/** A telephone number by the rules of its country (`country` as an ISO code); undefined below five digits. */
export function phoneOf(text: string | null | undefined, country: string): Phone | undefined {
  if (!text) return undefined
  const [first = ""] = text.normalize("NFKC").split(EXTENSION)
  // A switchboard's own extension is what one dials without any.
  const main = first.replace(/(\d\s*)[-–]\s*0{1,2}\s*$/, "$1")
  let digits = main.replace(/\(0\)/g, "").replace(/\D/g, "")
  if (digits.length < 5) return undefined
  const rule = RULES[country]
  if (/^\s*(\+|00)/.test(main)) {
    digits = digits.replace(/^00/, "")
    const code = codeAt(digits)
    return { national: withoutTrunk(digits.slice(code.length), code), country: code }
  }
  if (!rule) return { national: digits.replace(/^0/, ""), country: "" }
  const [code, trunk] = rule
  if (trunk && digits.startsWith(trunk) && digits.length > 6)
    return { national: digits.slice(trunk.length), country: code }
  if (digits.startsWith(code) && digits.length >= code.length + 9 && (code !== "1" || digits.length === 11))
    return { national: withoutTrunk(digits.slice(code.length), code), country: code }
  return { national: digits, country: code }
}

function codeAt(digits: string): string {
  for (const length of [1, 2, 3]) if (CODES.has(digits.slice(0, length))) return digits.slice(0, length)
  return ""
}

function withoutTrunk(digits: string, code: string): string {
  return code !== "39" && digits.startsWith("0") ? digits.slice(1) : digits
}
