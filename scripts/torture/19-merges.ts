// Row 19: leads are pushed, edited, noted on, deleted, merged and parted again in any order, on the service and on a
// model that knows nothing of how it is done.
import fc from "fast-check"
import { type Args, ask, type Reply } from "./ask.ts"
import { tryOut } from "./campaign.ts"
import { type Inside, openInside } from "./in-process.ts"
import {
  canUndo,
  createModel,
  edit,
  insert,
  type Model,
  merge,
  mergePush,
  type Pushed,
  remove,
  repeated,
  undo,
} from "./merges/model.ts"
import { grouped, type Row, type RowOptions, type RowResult, resultOf } from "./row.ts"
import { same } from "./sequences/run.ts"

const LONG = 10_000
const SHORT = 150
/** Sequences that share a database. */
const ROUND = 1_000

export const merges: Row = {
  number: 19,
  name: "merges",
  must: ">= 10,000 random sequences of push, edit, merge and undo: 0 differences from the model",
  seconds: 1_200,
  run,
}

const Target = fc.nat({ max: 5 })
const Word = fc.constantFrom("a", "b", "c")
const Push = fc.record(
  {
    website: Word,
    city: Word,
    tags: fc.uniqueArray(fc.constantFrom("vip", "fair", "old"), { minLength: 1, maxLength: 3 }),
    attributes: fc.uniqueArray(
      fc.record({
        name: fc.constantFrom("seats", "stand"),
        type: fc.constant("number"),
        value: fc.nat({ max: 3 }),
      }),
      { selector: ({ name }) => name, minLength: 1, maxLength: 2 },
    ),
  },
  { requiredKeys: [] },
)
const Key = fc.oneof(
  fc.constant({}),
  fc.record({ email: fc.constantFrom("a@x.example", "b@x.example", "c@x.example") }),
  fc.record({ source_id: fc.constantFrom("S1", "S2", "S3") }),
)
const Command = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("push"), name: Word, said: Push, key: Key }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("edit"),
      target: Target,
      change: fc.oneof(
        fc.record({ website: fc.option(Word) }),
        fc.record({ city: fc.option(Word) }),
        fc.record({ name: Word }),
        fc.record({ email: fc.constant(null) }),
        fc.record({ tags: fc.uniqueArray(fc.constantFrom("vip", "fair", "own"), { maxLength: 2 }) }),
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("note"), target: Target }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("delete"), target: Target }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("merge"),
      target: Target,
      losers: fc.uniqueArray(Target, { minLength: 1, maxLength: 2 }),
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("undo"), target: fc.nat({ max: 9 }) }) },
)
type Command = typeof Command extends fc.Arbitrary<infer T> ? T : never
const Commands = fc.array(Command, { minLength: 3, maxLength: 16, size: "max" })

async function run(options: RowOptions): Promise<RowResult> {
  const { short, seed, before } = options
  const deadline = performance.now() + options.seconds * 1_000
  const goal = short ? SHORT : LONG
  const counts = {
    sequences: before.sequences ?? 0,
    commands: before.commands ?? 0,
    undone: before.undone ?? 0,
  }
  const failures: string[] = []
  while (counts.sequences < goal && failures.length === 0 && performance.now() < deadline) {
    await using service = await openInside(options.folder)
    const found = await tryOut(
      Commands,
      async (commands) => {
        const { key } = await service.addTenant()
        counts.undone += await live(service, key, commands)
        counts.sequences++
        counts.commands += commands.length
      },
      { seed: seed + counts.sequences, goal: Math.min(ROUND, goal - counts.sequences), deadline, round: 50 },
    )
    failures.push(...found.failures, ...service.defects)
    options.keep({ ...counts })
    options.progress(`${counts.sequences} of ${goal} sequences`)
  }
  const { sequences, commands, undone } = counts
  const seen = `${grouped(sequences)} sequences of ${grouped(commands)} commands, ${grouped(undone)} merges taken back: 0 differences`
  return resultOf(failures, seen, counts, sequences >= goal && undone > 0)
}

/** Returns how many merges were taken back. */
async function live(service: Inside, key: string, commands: readonly Command[]): Promise<number> {
  const model = createModel()
  let nth = 0
  let undone = 0
  const tell = (name: string, args: Args) => ask(service, key, "rest", name, args)
  for (const command of commands) {
    nth++
    const at = `step ${nth} ${command.do}`
    const ids = [...model.leads.keys()]
    const leadAt = (target: number) => ids[target % Math.max(1, ids.length)]
    if (command.do === "push") {
      const pushed: Pushed = {
        name: `${command.name}${nth}`,
        source: `s${nth}`,
        ...command.said,
        ...command.key,
      }
      await push(tell, model, pushed, at)
      continue
    }
    if (command.do === "undo") {
      if (await takeBack(tell, model, command.target, at)) undone++
      continue
    }
    const id = leadAt(command.target)
    if (id === undefined) continue
    const lead = model.leads.get(id)!
    if (command.do === "edit") {
      const { body } = wants(at, await tell("update_lead", { id, ...command.change }), 200)
      edit(model, id, command.change)
      same(at, body.tags, lead.tags)
    } else if (command.do === "note") {
      const { body } = wants(at, await tell("create_note", { lead_id: id, content: at }), 201)
      model.notes.set(body.id, id)
    } else if (command.do === "delete") {
      wants(at, await tell("delete_lead", { id }), 204)
      remove(model, id)
    } else {
      const losers = [...new Set(command.losers.map((target) => leadAt(target)!))].filter((one) => one !== id)
      if (losers.length === 0) continue
      const { body } = wants(at, await tell("merge_leads", { survivor: id, losers }), 200)
      merge(model, body.merge_id, id, losers)
      same(at, shown(body.survivor), expected(model, id))
    }
  }
  await compareAll(tell, model)
  return undone
}

type Tell = (name: string, args: Args) => Promise<Reply>

async function push(tell: Tell, model: Model, pushed: Pushed, at: string): Promise<void> {
  const into = repeated(model, pushed)
  const { body } = wants(at, await tell("create_lead", { ...pushed }), into ? 200 : 201)
  if (into === undefined) insert(model, body.id, pushed)
  else {
    same(`${at}: the lead that it went into`, body.id, into)
    const { changes } = (await tell("list_changes", { id: into, limit: 1 })).body
    mergePush(model, into, pushed, changes[0].id)
  }
  same(at, shown(body), expected(model, body.id))
}

async function takeBack(tell: Tell, model: Model, target: number, at: string): Promise<boolean> {
  const one = model.merges[target % Math.max(1, model.merges.length)]
  if (!one) return false
  const reply = await tell("undo_merge", { id: one.id })
  if (!canUndo(model, one)) {
    wants(at, reply, 409)
    return false
  }
  const { body } = wants(at, reply, 200)
  const { kept } = undo(model, one, body.losers[0].id)
  same(`${at}: kept`, ordered(body.kept), ordered(kept))
  for (const lead of [body.survivor, ...body.losers]) same(at, shown(lead), expected(model, lead.id))
  return true
}

const ordered = (kept: { lead_id: string; field: string }[]) =>
  kept.map(({ lead_id, field }) => `${lead_id} ${field}`).sort()

/** Everything that is there, asked for anew. */
async function compareAll(tell: Tell, model: Model): Promise<void> {
  const { body } = wants("list", await tell("list_leads", { limit: 1_000 }), 200)
  const stored = new Map(body.leads.map((lead: { id: string }) => [lead.id, shown(lead as never)]))
  same("the leads", [...stored.keys()].sort(), [...model.leads.keys()].sort())
  for (const id of model.leads.keys()) {
    same("at the end", stored.get(id), expected(model, id))
    const notes = wants("notes", await tell("list_notes", { lead_id: id }), 200).body
    const own = [...model.notes].flatMap(([note, lead]) => (lead === id ? [note] : []))
    same("its notes", notes.map((note: { id: string }) => note.id).sort(), own.sort())
  }
}

function wants(at: string, reply: Reply, status: number): Reply {
  if (reply.status !== status)
    throw new Error(
      `${at}: ${reply.status}, should be ${status}: ${JSON.stringify(reply.body)?.slice(0, 400)}`,
    )
  return reply
}

interface Answered {
  id: string
  tags: string[]
  attributes: { name: string; type: string; value: unknown }[]
  [field: string]: unknown
}

function shown({ name, source, email, source_id, website, city, tags, attributes }: Answered) {
  const sorted = attributes.map((one) => [one.name, one.type, one.value]).sort()
  return { name, source, email, source_id, website, city, tags: [...tags].sort(), attributes: sorted }
}

function expected(model: Model, id: string) {
  const { fields, tags, attributes } = model.leads.get(id)!
  const sorted = [...attributes].map(([name, { type, value }]) => [name, type, value]).sort()
  return { ...fields, tags: [...tags].sort(), attributes: sorted }
}
