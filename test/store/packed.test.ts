import { expect, test } from "bun:test"
import { generateLeads } from "../../scripts/seed/leads.ts"
import { type Attribute, DATA_FIELDS, type LeadData } from "../../src/lead/lead.ts"
import { pushIn, pushText } from "../../src/store/postgres/trail/write.ts"
import { documentText } from "../../src/store/sql/schema/lead-rows.ts"
import {
  completedBytes,
  completedText,
  DOCUMENT_FIELDS,
  PACKED,
  packedText,
} from "../../src/store/tables/leads/shape.ts"

const NOTHING = Object.fromEntries(DOCUMENT_FIELDS.map((name) => [name, null]))
const TIMES = { created_at: 1, updated_at: 2, last_interaction_at: 3 }
const leadOf = (more: object): LeadData =>
  ({ ...NOTHING, tags: [], attributes: [], ...TIMES, ...more }) as never

/** Texts that look like the end of a value, or like members. */
const TEXTS = ['"', "\\", '\\"', '\\\\",', ',"email":null,', "]", '"],', "Zoë 大阪 😀", "null", ""]
const member: Attribute["value"] = { attributes: [], emails: [{ value: "x", label: null }], phones: [] }

const ALL = Object.fromEntries(DATA_FIELDS.map((name) => [name, name === "tags" ? ["x"] : "x"]))

const LEADS: readonly LeadData[] = [
  ...DATA_FIELDS.flatMap((name) => [
    { ...leadOf({}), [name]: "x" },
    leadOf({ ...ALL, ...TIMES, [name]: null }),
  ]),
  ...[...generateLeads(200)].map((lead) => leadOf(lead)),
  ...TEXTS.map((text) => leadOf({ id: "a", name: text, email: text, phone: text, tags: [text, "b", text] })),
  ...TEXTS.map((text) => leadOf({ attributes: [{ id: "1", name: text, type: "text", value: text }] })),
  leadOf({
    rating: 1e-7,
    latitude: -0.5,
    attributes: [{ id: "1", name: "o", type: "object", value: member }],
  }),
]

test("packed documents are smaller, and read as they were, to the byte", () => {
  for (const lead of LEADS) {
    const text = documentText(lead)
    const packed = packedText(text)!
    expect(packed.length).toBeLessThan(text.length)
    expect(completedText(packed, PACKED)).toBe(text)
    expect(Buffer.from(completedBytes(Buffer.from(packed), PACKED)).toString()).toBe(text)
    expect(JSON.parse(packed).attributes).toEqual(lead.attributes)
    // Executables of before would insert members there.
    expect(packed.replace(/"value":\{.*\}/, "")).not.toContain(',"attributes":')
  }
})

test("documents with lists of their own, or with other members, are not packed", () => {
  const emails = [
    { value: "a@example.com", label: null },
    { value: "b@example.com", label: null },
  ]
  expect(packedText(documentText(leadOf({ email: "a@example.com", emails })))).toBeUndefined()
  const { city: _, ...older } = leadOf({})
  expect(packedText(JSON.stringify(older))).toBeUndefined()
})

test("names of pushed values are kept as numbers, and read from older rows as they were written", () => {
  const names = ["name", "source", "email", "review_count"]
  for (const pushed of [
    { same: names, rest: {} },
    {
      same: [...names, "attr:opening", "attr:"],
      rest: { city: "Köln", "attr:size": { type: "number", value: 3 } },
    },
    { same: [], rest: {} },
  ]) {
    const text = pushText(pushed)
    expect(text).not.toContain("review_count")
    for (const kept of [text, JSON.stringify(pushed)]) {
      const { same, rest } = pushIn(kept)
      expect([same.toSorted(), rest]).toEqual([pushed.same.toSorted(), pushed.rest])
    }
  }
})

test("a document with other white space is read by its members", () => {
  const [lead] = LEADS
  const packed = packedText(documentText(lead!))!.replaceAll(/[\n\t]/g, " ")
  expect(completedText(packed, PACKED)).toBe(documentText(lead!))
  expect(Buffer.from(completedBytes(Buffer.from(packed), PACKED)).toString()).toBe(documentText(lead!))
})
