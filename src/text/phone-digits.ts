/**
 * The words that a phone number is found by however it is written: its digits without leading zeros, and of one with a
 * country's number those behind it too, which may be one to three digits. None below six digits.
 */
export function digitsOf(phone: string): string[] {
  const digits = phone.replace(/\(0\)/g, "").replace(/\D+/g, "")
  const isInternational = /^\s*(?:\(\s*)?(\+|00)/.test(phone)
  const all = digits.replace(/^0+/, "")
  const cuts = isInternational ? [0, 1, 2, 3] : [0]
  const endings = cuts.map((cut) => all.slice(cut).replace(/^0+/, ""))
  return [...new Set(endings)].filter((one) => one.length >= 6)
}
