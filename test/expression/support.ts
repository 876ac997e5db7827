import { describe, expect, test } from "bun:test"
import {
  type CheckedExpression,
  checkExpression,
  evaluate,
  type ScoreInput,
} from "../../src/expression/index.ts"

const DAY = 86_400
export const NOW = 1_763_720_000

/** A lead with something in most fields; `phone`, `state` and `longitude` are missing. */
export const LEAD: ScoreInput = {
  name: "Café Zoë",
  source: "web",
  email: "Ann@Example.com",
  phone: null,
  city: "Berlin",
  postal_code: "10115",
  category: "Restaurant",
  description: "Good food 😀",
  status: "qualified",
  rating: 4.5,
  review_count: 120,
  latitude: -52.5,
  longitude: null,
  created_at: NOW - 10 * DAY,
  updated_at: NOW - DAY / 2,
  last_interaction_at: NOW + DAY,
  tags: ["VIP", "b2b", "Straße"],
  attributes: [
    { name: "budget", value: 2500.5 },
    { name: "tier", value: "Gold" },
    { name: "digits", value: " 42.5 " },
    { name: "zero_text", value: "0" },
    { name: "empty_text", value: "" },
    { name: "yes", value: true },
    { name: "no", value: false },
    { name: "langs", value: ["de", "EN", "5"] },
    { name: "none", value: [] },
    { name: "company", value: { size: 5, city: "Bonn" } },
    { name: "hollow", value: {} },
    { name: "größe_2", value: 7 },
    { name: "会社", value: 8 },
    { name: "2nd", value: 9 },
    { name: "seen", value: NOW - 3 * DAY },
    { name: "nothing", value: null },
    { name: "Team Size (FTE)", value: 12 },
    { name: "open-since", value: "2019" },
  ],
}

/** The expression; an Error with its message when it is refused. */
export function checked(text: string): CheckedExpression {
  const result = checkExpression(text)
  if (!result.ok) throw new Error(`${text}: ${result.error.message}`)
  return result.expression
}

/** The value of an expression for a lead. */
export function valueFor(text: string, lead: ScoreInput = LEAD, now = NOW): number {
  return evaluate(checked(text), lead, now)
}

/** Tests that each expression has its value for LEAD. */
export function valueTable(name: string, cases: [text: string, value: number][]): void {
  describe(name, () => {
    test.each(cases)("%p is %p", (text, value) => expect(valueFor(text)).toBe(value))
  })
}
