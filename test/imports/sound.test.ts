import { expect, test } from "bun:test"
import fc from "fast-check"
import * as v from "valibot"
import { createColumns } from "../../src/domain/imports/reader/columns.ts"
import { LeadInput } from "../../src/lead/fields.ts"

const names = [
  ...`Name|Vorname|Firma|E-Mail|Telefon|Website|Straße|PLZ|Ort|Land|Branche|Notiz|Status|Tags|Bewertung|
    Anzahl Bewertungen|Lat|Lng|LinkedIn|Logo|Quelle|Kundennummer|other|seats|since|coordinates`.split(
    /\|\s*/,
  ),
  "\ud83d",
]
const odd = fc.constantFrom(
  ...'a@b.cc;a@b.cc, c@d.ee;+49 30 12345;www.x.de;1e400;-91;4,5;1.234,5;Neu;{"a":[1]};["x",2]'.split(";"),
  ..."true;ja;2024-01-05;n/a;'+1;=1;52.5,13.4;999999999999999999".split(";"),
  ...["\0", "\ud800x", "a|b;c,d", "x".repeat(1_200), "\u2028"],
)
const cell = fc.oneof(fc.string({ unit: "binary", maxLength: 12 }), odd, fc.constant(""))

test("whatever stands in a file, what becomes of a row is a lead by the rules of leads, or said to be none", () => {
  const rows = fc.array(fc.array(cell, { minLength: names.length, maxLength: names.length + 2 }), {
    minLength: 1,
    maxLength: 6,
  })
  fc.assert(
    fc.property(rows, fc.constantFrom("none", "all"), (values, typing) => {
      const all = values.map((row, i) => ({ line: i + 2, names, values: row }))
      const columns = createColumns(names, all, typing as "none", { map: ["Name:name"], wording: "query" })
      for (const row of all) {
        const read = columns.leadOf(row)
        if (!("lead" in read)) continue
        const checked = v.safeParse(LeadInput, read.lead)
        expect(
          checked.issues?.map((issue) => [v.getDotPath(issue), issue.message, issue.input]),
        ).toBeUndefined()
      }
    }),
    { numRuns: 100 },
  )
}, 120_000)
