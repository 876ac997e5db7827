// Rows of the lives of accounts, command by command on the service and on the model. A few accounts live at the same
// time: their writes share commits, and none may see another's leads.
import fc from "fast-check"
import { type HeldClock, heldClock } from "../../../test/support/clock.ts"
import { type AccountModel, createAccount, leadIds, shown } from "../../../test/support/model/account.ts"
import type { ModelLead } from "../../../test/support/model.ts"
import { ask } from "../ask.ts"
import { tryOut } from "../campaign.ts"
import { type Inside, openInside, type Tenant } from "../in-process.ts"
import { listed, type Query, wellFormed } from "../lists/queries.ts"
import { grouped, type Row, type RowOptions, type RowResult, resultOf } from "../row.ts"
import type { Command, Sequence, Taken } from "./commands.ts"
import * as leads from "./leads.ts"
import { checkTrail } from "./leads.ts"
import { expectStatus, overRest, type Run, read, same } from "./run.ts"
import * as scores from "./scores.ts"
import * as sides from "./sides.ts"
import { checkNotes } from "./sides.ts"

// One command, whatever it is.
type Takes = { [Do in Command["do"]]: (run: Run, command: Command & { do: Do }) => Promise<void> }

const TAKES: Takes = {
  push: leads.push,
  "refused push": leads.refusedPush,
  "batch push": leads.batchPush,
  update: leads.update,
  "send back": leads.sendBack,
  "batch update": leads.batchUpdate,
  remove: leads.remove,
  "batch remove": leads.batchRemove,
  tag: leads.tag,
  merge: leads.merge,
  undo: leads.undo,
  get: leads.get,
  changes: leads.changes,
  attributes: sides.listAttributes,
  "add attribute": sides.addAttribute,
  "set attribute": sides.setAttribute,
  "drop attribute": sides.dropAttribute,
  notes: sides.listNotes,
  "add note": sides.addNote,
  "set note": sides.setNote,
  "drop note": sides.dropNote,
  "add rule": scores.addRule,
  "set rule": scores.setRule,
  "drop rule": scores.dropRule,
  rules: scores.listRules,
  score: scores.score,
  "score all": scores.scoreAll,
  stats: scores.stats,
  cities: scores.cities,
  index: (run) => run.index(),
  list: (run, { query, between }) => list(run, query, between, take),
}

/** Takes a command on the service and on the model. Throws when they come to something else. */
function take(run: Run, command: Command): Promise<void> {
  const one = TAKES[command.do] as (run: Run, command: Command) => Promise<void>
  return one(run, command)
}

/** Sequences that share a database; then another one is opened, so that it stays quick. */
const ROUND = 2_000

interface Lives extends Pick<Row, "number" | "name" | "must"> {
  sequence: fc.Arbitrary<Sequence>
  /** How many of them the long form and the short one take. */
  long: number
  short: number
}

/** A row that takes random sequences and finds no difference from the model. */
export function sequencesRow({ sequence, long, short, ...row }: Lives): Row {
  return { ...row, seconds: 1_200, run: (options) => run(options, sequence, options.short ? short : long) }
}

async function run(options: RowOptions, sequence: fc.Arbitrary<Sequence>, goal: number): Promise<RowResult> {
  const { seed, before } = options
  const deadline = performance.now() + options.seconds * 1_000
  const counts = { sequences: 0, commands: 0, undone: 0, ...before }
  const failures: string[] = []
  while (counts.sequences < goal && failures.length === 0 && performance.now() < deadline) {
    const clock = heldClock()
    await using service = await openInside(options.folder, clock)
    const until = Math.min(goal, counts.sequences + ROUND)
    const foreign = await strangers(service)
    const found = await tryOut(
      fc.array(sequence, { minLength: 1, maxLength: 3 }),
      async (lives) => {
        counts.undone += await liveAll(service, clock, lives, foreign)
        counts.sequences += lives.length
        counts.commands += lives.reduce((sum, { commands }) => sum + commands.length, 0)
      },
      {
        seed: seed + counts.sequences,
        goal: until - counts.sequences,
        deadline,
        round: 25,
        isEnough: () => counts.sequences >= until,
      },
    )
    failures.push(...found.failures, ...service.defects)
    options.keep({ ...counts })
    options.progress(`${counts.sequences} of ${goal} sequences`)
  }
  const { sequences, commands, undone } = counts
  const seen = `${grouped(sequences)} sequences of ${grouped(commands)} commands, ${grouped(undone)} merges taken back: 0 differences`
  return resultOf(failures, seen, counts, sequences >= goal)
}

/** An account with one of everything, whose ids are nobody else's business. */
async function strangers(service: Inside): Promise<Run["foreign"]> {
  const { key } = await service.addTenant()
  const make = async (name: string, args: Record<string, unknown>) => {
    const { body } = await ask(service, key, "rest", name, args)
    return body.id as string
  }
  const lead = await make("create_lead", {
    name: "Anna Weber",
    source: "web",
    email: "a@x.y",
    source_id: "S",
  })
  const note = await make("create_note", { lead_id: lead, content: "foreign" })
  const rule = await make("create_scoring_rule", { name: "foreign", expression: "50" })
  return { lead, note, rule }
}

interface Life {
  tenant: Tenant
  account: AccountModel
  commands: Taken[]
}

/** Lives in step: the nth commands of all are under way at the same time. Resolves with how many merges were taken back. */
async function liveAll(
  service: Inside,
  clock: HeldClock,
  all: Sequence[],
  foreign: Run["foreign"],
): Promise<number> {
  const lives: Life[] = []
  for (const { limit, commands } of all)
    lives.push({ tenant: await service.addTenant(limit), account: createAccount(limit), commands })
  const longest = Math.max(...lives.map(({ commands }) => commands.length))
  for (let step = 0; step < longest; step++) {
    clock.advance(step % 5 === 4 ? 90_000_000 : 700)
    await together(
      lives.flatMap((life) => {
        const command = life.commands[step]
        if (!command) return []
        return named(
          `step ${step} ${command.do}`,
          take(runOf(service, clock, life, command.way, foreign), command),
        )
      }),
    )
  }
  await together(lives.map((life) => checkAll(runOf(service, clock, life, "rest", foreign))))
  return lives.flatMap(({ account }) => account.merges).filter(({ isUndone }) => isUndone).length
}

/** Waits for all of them, then throws what went wrong in the first that failed. */
async function together(all: Promise<void>[]): Promise<void> {
  const settled = await Promise.allSettled(all)
  for (const one of settled) if (one.status === "rejected") throw one.reason
}

async function named(what: string, work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (error) {
    throw new Error(`${what}: ${error instanceof Error ? error.message : error}`, { cause: error })
  }
}

function runOf(
  service: Inside,
  clock: HeldClock,
  { tenant, account }: Life,
  way: Run["way"],
  foreign: Run["foreign"],
): Run {
  return {
    account,
    now: clock.seconds(),
    way,
    ask(name, args) {
      return ask(service, tenant.key, this.way, name, args)
    },
    index: () => service.parts.store.indexAll(),
    foreign,
  }
}

/** Everything there is at the end. */
async function checkAll(run: Run): Promise<void> {
  const { account } = run
  await take(run, { do: "list", query: { filter: [], limit: 1_000 }, between: [] })
  await take(run, { do: "stats" })
  for (const id of leadIds(account)) await checkNotes(run, id)
  for (const id of new Set(account.trail.map(({ lead_id }) => lead_id))) await checkTrail(run, id)
}

// A list read page by page while the account changes: every page is what stands behind the last lead at that moment.
type Take = (run: Run, command: Command) => Promise<void>

/** Reads all pages over REST. */
async function list(run: Run, asked: Query, between: readonly Command[], take: Take): Promise<void> {
  const query = wellFormed(asked)
  let last: ModelLead | undefined
  let cursor: string | undefined
  for (let page = 0; page < 50; page++) {
    const reply = await overRest(run).ask("list_leads", { ...query, cursor })
    const wanted = listed(run.account.leads, query, last)
    expectStatus(overRest(run), reply, wanted ? 200 : 400)
    if (!wanted) return
    const { leads, next_cursor, has_more, count } = reply.body
    const here = wanted.slice(0, query.limit)
    same(
      `page ${page}`,
      leads.map((lead: Record<string, unknown>) => read(run, lead)),
      here.map(shown),
    )
    same(
      "its end",
      [has_more, next_cursor !== null, count],
      [wanted.length > here.length, has_more, here.length],
    )
    if (next_cursor === null) return
    last = here.at(-1)
    cursor = next_cursor
    const command = between[page]
    if (command) await take(run, command)
  }
}
