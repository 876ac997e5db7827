// Row 19: the lives of accounts by pushes, edits, notes, deletes, merges and merges taken back. Few keys, so that most pushes
// repeat a lead, and plain values: what differs by case or form alone is for other rows.
import fc from "fast-check"
import type { Command } from "./sequences/commands.ts"
import { sequencesRow } from "./sequences/row.ts"

const lead = fc.nat({ max: 5 })
const word = fc.constantFrom("a", "b", "c")
const number = fc.nat({ max: 3 }).map((value) => ({ type: "number" as const, value }))
const attribute = fc.tuple(fc.constantFrom("seats", "stand"), number).map(([name, one]) => ({ name, ...one }))
const said = fc.record(
  {
    website: word,
    city: word,
    tags: fc.uniqueArray(fc.constantFrom("vip", "fair", "old"), { minLength: 1, maxLength: 3 }),
    attributes: fc.uniqueArray(attribute, { selector: ({ name }) => name, minLength: 1, maxLength: 2 }),
  },
  { requiredKeys: [] },
)
/** An email and a source_id never both, so that a push repeats one lead at most. */
const key = fc.oneof(
  fc.constant({}),
  fc.record({ email: fc.constantFrom("a@x.example", "b@x.example", "c@x.example") }),
  fc.record({ source_id: fc.constantFrom("S1", "S2", "S3") }),
)
const named = fc.record({
  name: fc.nat({ max: 99 }).map((n) => `n${n}`),
  source: fc.nat({ max: 99 }).map((n) => `s${n}`),
})
const push = fc.tuple(named, said, key).map((parts) => Object.assign({}, ...parts))
const changes = fc.oneof(
  fc.record({ website: fc.option(word) }),
  fc.record({ city: fc.option(word) }),
  fc.record({ name: word }),
  fc.record({ email: fc.constant(null) }),
  fc.record({ tags: fc.uniqueArray(fc.constantFrom("vip", "fair", "own"), { maxLength: 2 }) }),
)
const losers = fc.uniqueArray(lead, { minLength: 1, maxLength: 2 })

const command = fc.oneof<fc.WeightedArbitrary<Command>[]>(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("push"), lead: push }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("update"), lead, changes }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("add note"), lead, content: word }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("remove"), lead }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("merge"), lead, losers }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("undo"), merge: fc.nat({ max: 9 }) }) },
)

export const merges = sequencesRow({
  number: 19,
  name: "merges",
  must: ">= 10,000 random sequences of push, edit, merge and undo: 0 differences from the model",
  sequence: fc.record({
    limit: fc.constant(null),
    commands: fc.array(
      command.map((one) => ({ ...one, way: "rest" as const })),
      { minLength: 3, maxLength: 16, size: "max" },
    ),
  }),
  long: 10_000,
  short: 150,
})
