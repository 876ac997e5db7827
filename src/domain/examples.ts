// Examples of the API's document: one small world, the same lead, account and times wherever they are shown. The
// example of an operation stands beside it; here is what several nouns show.
import { ACTIVITY_FIELDS, DATA_FIELDS, DERIVED_FIELDS, type Json } from "../lead/lead.ts"
import { LEAD_FIELD_NAMES, LEAD_FIELDS, type LeadFieldName, leadField } from "../lead/lead-fields.ts"

/** The body of a request and its answers by status; `text` is the answer of an operation whose file is text. */
export interface Example {
  body?: Json
  answers?: Readonly<Record<number, Json>>
  text?: string
}
export type ExampleFields = Record<string, Json>

/** Unix seconds at which the examples' requests are made, and a day earlier. */
export const NOW = 1_795_262_400
export const EARLIER = LEAD_FIELDS.created_at.example

export const LEAD_ID = LEAD_FIELDS.id.example
export const OTHER_LEAD_ID = "cl_019aa6f2-9f07-7b18-8d24-c1a95e3b7f60"
export const MERGE_ID = "mrg_019aa6f9-0c21-7b11-9f02-7d3e5a4c1b88"
export const RULE_ID = "rule_019aa6f3-2b9c-7f01-a6d8-5c04e9b1723a"
export const WEBHOOK_ID = "wh_019aa6f3-6d12-7c55-b0e9-82f3a4d71c96"
export const STAGE_ID = "stg_019aa6f4-1f60-7d90-b2a7-3c5e8d014f9b"
export const BATCH_ID = "019aa6f7-10ad-7000-8e5f-d4700c2a9b0e"
export const MEMBER_ID = "mem_019aa6f6-7a10-7e2c-93b5-0d4c8f1e62a7"
export const IMPORT_ID = "imp_019aa6f8-33d0-7003-9c1e-2b7d4f5a6c80"
export const JOB_ID = "job_019aa6f8-33d0-7002-b5d1-6a0f7c3e9d24"

export const exampleAttribute: ExampleFields = {
  id: "019aa6f2-8c41-7d3e-9b52-5a0d3f4c7e21",
  name: "seats",
  type: "number",
  value: 40,
}

/** A field's example in the table of lead fields. */
const of = (name: LeadFieldName): Json => (leadField(name).example as Json | undefined) ?? null

export const exampleLead: ExampleFields = {
  ...Object.fromEntries(DATA_FIELDS.map((name) => [name, of(name)])),
  attributes: [exampleAttribute],
  emails: [{ value: of("email"), label: null }],
  phones: [],
  ...Object.fromEntries([...ACTIVITY_FIELDS, ...DERIVED_FIELDS].map((name) => [name, of(name)])),
  score: of("score"),
}

export const examplePush: ExampleFields = {
  name: of("name"),
  source: of("source"),
  email: of("email"),
  city: of("city"),
  rating: of("rating"),
  review_count: of("review_count"),
  tags: of("tags"),
  attributes: [{ name: "seats", type: "number", value: 40 }],
}
/** The lead that `examplePush` becomes. */
export const exampleCreated: ExampleFields = Object.fromEntries(
  Object.entries(exampleLead).map(([name, value]) => {
    const isSent =
      !DATA_FIELDS.some((field) => field === name && leadField(field).nullable) || name in examplePush
    return [name, isSent ? value : null]
  }),
)
export const exampleQualified: ExampleFields = {
  ...exampleLead,
  status: "qualified",
  updated_at: NOW,
  last_interaction_at: NOW,
  last_touched_at: NOW,
}
/** The example lead as a CSV export. */
export const exampleCsv = `${[...LEAD_FIELD_NAMES, "seats"].join(",")}
${[...LEAD_FIELD_NAMES.map(of), 40].join(",")}
`
