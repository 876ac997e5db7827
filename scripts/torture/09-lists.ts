// Row 9: lists asked with right, nearly right and wrong filters, sort keys and cursors, held against the model.
import fc from "fast-check"
import { heldClock } from "../../test/support/clock.ts"
import { createModel, type ModelInput, type ModelLead } from "../../test/support/model.ts"
import { createRandom } from "../seed/random.ts"
import { ask } from "./ask.ts"
import { tryOut } from "./campaign.ts"
import { type Inside, openInside } from "./in-process.ts"
import { type Counts, compare, type Filled, NOTHING_YET, type Trial } from "./lists/compare.ts"
import { trickyLead } from "./lists/data.ts"
import { queries } from "./lists/queries.ts"
import { grouped, type Row, type RowOptions, type RowResult, resultOf } from "./row.ts"

const LONG = 200_000
const SHORT = 400

export const lists: Row = {
  number: 9,
  name: "lists",
  must: ">= 200,000 mutated filters, cursors and sort keys: 0 SQL errors, 0 leads that the model would not give",
  seconds: 1_200,
  run,
}

async function run(options: RowOptions): Promise<RowResult> {
  const { short, seed, before } = options
  const deadline = performance.now() + options.seconds * 1_000
  const counts: Counts = { ...NOTHING_YET, ...before }
  const clock = heldClock()
  await using service = await openInside(options.folder, clock)
  const filled = await fillAccounts(
    service,
    () => {
      clock.advance(700)
      return clock.seconds()
    },
    short ? 60 : 120,
    seed,
  )
  const goal = short ? SHORT : LONG
  const { done, failures } = await tryOut(
    trials(filled[0]!.model.list()),
    (trial) => compare(service, filled, trial, counts),
    {
      seed,
      goal,
      deadline,
      done: before.done ?? 0,
      told(done) {
        options.keep({ done, ...counts })
        options.progress(`${done} of ${goal} cases`)
      },
    },
  )
  const cases = done + counts.cursors
  failures.push(...service.defects)
  const seen =
    `${grouped(cases)} cases, ${grouped(counts.refused)} of them refused as they must be, ` +
    `${grouped(counts.cursors)} cursors tampered with, ${grouped(counts.rows)} leads compared: 0 SQL errors, 0 differences`
  return resultOf(failures, seen, { done, ...counts }, cases >= goal)
}

function trials(leads: readonly ModelLead[]): fc.Arbitrary<Trial> {
  return fc.record({
    query: queries(leads),
    way: fc.constantFrom("pages", "pages", "pages", "pages", "export", "tool"),
    who: fc.nat(1),
    tamper: fc.record({
      how: fc.nat(8),
      at: fc.nat(200),
      with: fc.constantFrom("A", "b", "0", "-", "_", "=", "%", " ", "é"),
    }),
  })
}

/** Two accounts with leads of the same kind, so that a lead of the other one would be seen. */
async function fillAccounts(
  service: Inside,
  tick: () => number,
  leads: number,
  seed: number,
): Promise<Filled[]> {
  const random = createRandom(seed)
  const inputs = Array.from({ length: leads }, (_, nth) => trickyLead(random, nth))
  const filled = await Promise.all(
    [1, 2].map(async () => ({ ...(await service.addTenant()), model: createModel() })),
  )
  for (const rule of RULES)
    for (const { key } of filled) await ask(service, key, "rest", "create_scoring_rule", rule)
  for (const [nth, input] of inputs.entries()) {
    // Some are found through the index of texts, the others wait for it.
    if (nth === Math.floor(leads / 2)) await service.parts.store.indexAll()
    const now = tick()
    for (const tenant of filled) await pushBoth(service, tenant, input, now)
  }
  return filled
}

const RULES = [
  { name: "rating", expression: "rating > 1 ? 10.5 : 3", weight: 1 },
  { name: "size", expression: "attr_size * 2", weight: 0.7 },
  { name: "name", expression: "len(name)" },
]

async function pushBoth(service: Inside, tenant: Filled, input: ModelInput, now: number): Promise<void> {
  const { status, body } = await ask(service, tenant.key, "rest", "create_lead", { ...input })
  const { lead, status: wanted } = tenant.model.push(input, now, status === 201 ? body.id : undefined)
  if (status !== wanted || lead.id !== body.id)
    throw new Error(
      `push of ${JSON.stringify(input)}: expected ${wanted}, got ${status} ${JSON.stringify(body)}`,
    )
  tenant.model.setScore(lead.id, body.score)
}
