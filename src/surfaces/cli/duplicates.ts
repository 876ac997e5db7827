import * as v from "valibot"
import { listDuplicates } from "../../domain/duplicates/list.ts"
import { mergeLeadsOperation } from "../../domain/duplicates/merge.ts"
import type { PairOutput } from "../../domain/duplicates/output.ts"
import { dismissDuplicate } from "../../domain/duplicates/pairs.ts"
import { rescanDuplicates } from "../../domain/duplicates/status.ts"
import { badRequest } from "../../runtime/errors.ts"
import { command } from "./command.ts"
import { flag, option, SeveralOrNone } from "./config.ts"
import { ACCOUNT, ADMIN, perform } from "./database.ts"

type Pair = v.InferOutput<typeof PairOutput>

const FILTER = option("FILTER", "such as and.eq.city.Berlin; one of both leads must match", SeveralOrNone, {
  many: true,
})

const listDuplicatesCommand = command({
  name: "duplicates list",
  about: "List leads that may be the same, with reasons",
  options: {
    account: ACCOUNT,
    filter: FILTER,
    minProbability: option("NUMBER", "minimum probability, 0 to 1", v.pipe(v.string(), v.transform(Number)), {
      default: "0.5",
    }),
    limit: option("NUMBER", "how many at most, 1 to 200", v.pipe(v.string(), v.transform(Number)), {
      default: "20",
    }),
    ...ADMIN,
  },
  examples: ["leaddb duplicates list --min-probability 0.9"],
  async run({ filter, minProbability: min_probability, limit, ...where }) {
    const input = { min_probability, limit, ...(filter && { filter }) }
    const page = await perform<{ duplicates: Pair[] }>(where, listDuplicates, input)
    return { json: page, text: page.duplicates.map(pairText).join("\n") || "No duplicates.\n" }
  },
})

function pairText({ id, probability, a, b, reasons }: Pair): string {
  const line = (lead: Pair["a"]) =>
    `  ${lead.id}  ${[lead.name, lead.city, lead.phone, lead.email, lead.source].filter(Boolean).join(", ")}\n`
  const why = reasons.map(({ text, bits }) => `${text} (${bits > 0 ? "+" : ""}${bits})`).join("; ")
  return `${id}  ${(probability * 100).toFixed(1)} %  ${why}\n${line(a)}${line(b)}`
}

const mergeDuplicatesCommand = command({
  name: "duplicates merge",
  about: "Merge leads into one",
  argument: { name: "LEAD_ID", about: "the lead to keep, then the leads to merge into it", many: true },
  options: {
    account: ACCOUNT,
    dryRun: flag("show what would happen without changing anything"),
    ...ADMIN,
  },
  async run({ dryRun: dry_run, ...where }, [survivor, ...losers]) {
    if (survivor === undefined || losers.length === 0)
      throw badRequest("two leads at least are needed: the one that stays, then those that go into it")
    const input = { survivor, losers, dry_run }
    const done = await perform<{ merge_id: string | null; changed: string[] }>(
      where,
      mergeLeadsOperation,
      input,
    )
    const what = done.merge_id ? `Merged as ${done.merge_id}` : "Would merge"
    return { json: done, text: `${what}; changes ${done.changed.join(", ") || "nothing"}.\n` }
  },
})

const dismissDuplicateCommand = command({
  name: "duplicates dismiss",
  about: "Mark the leads of a pair as not duplicates",
  argument: { name: "PAIR_ID", about: "the pair's id, from leaddb duplicates list" },
  options: { account: ACCOUNT, ...ADMIN },
  async run(where, [id]) {
    const pair = await perform<Pair>(where, dismissDuplicate, { id })
    return { json: pair, text: `Dismissed ${pair.id}.\n` }
  },
})

const rescanDuplicatesCommand = command({
  name: "duplicates rescan",
  about: "Have the running service compare all leads again",
  options: { account: ACCOUNT, ...ADMIN },
  async run(where) {
    const begun = await perform<{ job: string }>(where, rescanDuplicates, {})
    return { json: begun, text: `Begun as ${begun.job}.\n` }
  },
})

export const duplicatesCommands = [
  listDuplicatesCommand,
  mergeDuplicatesCommand,
  dismissDuplicateCommand,
  rescanDuplicatesCommand,
]
