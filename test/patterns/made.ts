// Prints the patterns that the source makes while it runs, as lines of JSON: run by the test in a process of its own,
// since `RegExp` is replaced before anything else is loaded. Patterns of libraries are not the source's.
export interface Made {
  /** `src/text/words.ts:9`. */
  at: string
  source: string
  flags: string
}

const made = new Map<string, Made>()
const Own = RegExp
globalThis.RegExp = new Proxy(Own, {
  construct(target, [source, flags]: [string | RegExp, string | undefined]) {
    const pattern = new target(source, flags)
    const at = /\/((?:src|node_modules)\/[\w./@-]+:\d+)/.exec(new Error().stack ?? "")?.[1]
    if (at?.startsWith("src/"))
      made.set(`${at} ${pattern}`, { at, source: pattern.source, flags: pattern.flags })
    return pattern
  },
})

const [xml, names, phone] = await Promise.all([
  import("../../src/formats/xlsx/xml.ts"),
  import("../../src/matching/name.ts"),
  import("../../src/text/phone.ts"),
])
await Promise.all([
  import("../../src/matching/phone.ts"),
  import("../../src/matching/fold.ts"),
  import("../../src/text/words.ts"),
  import("../../src/domain/imports/cells/numbers.ts"),
  import("../../src/domain/imports/convert/postal-address.ts"),
  import("../../src/domain/imports/cells/values.ts"),
  import("../../src/domain/leads/list/search-words.ts"),
  import("../../src/surfaces/mcp/errors.ts"),
])
for (const name of ["si", "sheet", "Relationship", "xf", "row"]) Array.from(xml.elements("", name))
for (const name of ["\\w+:id", "r"]) xml.attributeOf("", name)
for (const name of ["Acme GmbH", "Acme S.p.A.", "Acme Co., Ltd.", "株式会社Acme"])
  names.comparableName(name, [])
for (const number of ["+49 30 1234567", "+81 3 1234 5678", "+33 1 23 45 67 89"])
  phone.phoneNumber(number, null, null)
for (const one of made.values()) process.stdout.write(`${JSON.stringify(one)}\n`)
