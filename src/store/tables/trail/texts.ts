/** All texts in a JSON value. */
export function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value]
  return value !== null && typeof value === "object" ? Object.values(value).flatMap(textsOf) : []
}
