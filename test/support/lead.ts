import { expect } from "bun:test"
import { DATA_FIELDS, type LeadData } from "../../src/lead/lead.ts"
import { fieldsOfKind, type LeadFieldOf, leadField } from "../../src/lead/lead-fields.ts"

/** The least that a lead needs. */
export const LEAST = { name: "Acme", source: "web" } as const

/** Every text field that may be absent and takes any text: an owner is a member, a lawful basis one of six. */
export const OPTIONAL_TEXTS = fieldsOfKind("text").filter(
  (
    name,
  ): name is Exclude<LeadFieldOf<"text">, "name" | "source" | "owner" | "lawful_basis" | "email_status"> => {
    const { nullable, readOnly, form } = leadField(name)
    return nullable === true && !readOnly && (form === undefined || form === "email")
  },
)

/** A stored lead with nothing in it, its keys in their order. */
export const BLANK = {
  ...Object.fromEntries(DATA_FIELDS.map((name) => [name, null])),
  ...{ id: "", name: "", source: "", status: "new", tags: [] },
  ...{ created_at: 0, updated_at: 0, last_interaction_at: 0, attributes: [] },
} as unknown as LeadData

/** A lead with something in every field. */
export const FULL = {
  name: "Müller & Söhne GmbH",
  source: "trade fair",
  email: "Info@Mueller.example",
  phone: "+49 30 1234-567",
  website: "https://mueller.example",
  address: "Torstraße 1",
  city: "Berlin",
  state: "BE",
  country: "Germany",
  postal_code: "10119",
  category: "construction",
  description: "Asked for an offer.\nCalls back.",
  logo_url: "https://mueller.example/logo.png",
  source_id: "CRM-77",
  latitude: 52.53,
  longitude: 13.4,
  rating: 4.5,
  review_count: 12,
  tags: ["VIP", "builder"],
  status: "contacted",
} as const

/** An id as the service makes them: the prefix and a UUIDv7. */
export const LEAD_ID = /^cl_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** The form of an id that no lead has. */
export const NO_LEAD = "cl_01890000-0000-7000-8000-000000000000"

/** The body of an error answer, for `toEqual`. */
export function errorBody(error: string, code: string, message: string | RegExp) {
  return { error, code, message: typeof message === "string" ? message : expect.stringMatching(message) }
}
