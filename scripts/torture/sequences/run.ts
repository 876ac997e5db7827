// Commands are taken on the service and on the model of an account; what they come to must be the same.
import { leadIds, type Moment } from "../../../test/support/model/account.ts"
import { NUMBERS, TEXTS, TIMES } from "../../../test/support/model/lead.ts"
import type { Args, Reply, Way } from "../ask.ts"
import type { Target } from "./commands.ts"

/** One command on the service and on the model. */
export interface Run extends Moment {
  way: Way
  ask(name: string, args: Args): Promise<Reply>
  /** Has the index of texts filled, which otherwise comes about in a quiet moment. */
  index(): Promise<void>
  /** Ids that are another account's. */
  foreign: { lead: string; note: string; rule: string }
}

/** The same for what has no tool among those that every client gets. */
export const overRest = (run: Run): Run => ({ ...run, way: "rest" })

const NOBODY = "cl_01890000-0000-7000-8000-000000000000"

/** The id that is meant: mostly one of those that are there. */
export function pick(
  ids: readonly string[],
  target: Target,
  others: readonly (string | undefined)[],
): string {
  const found = target < 9 ? ids[target % Math.max(1, ids.length)] : others[target - 9]
  return found ?? NOBODY
}

export function leadOf(run: Run, target: Target): string {
  return pick(leadIds(run.account), target, [run.account.removed.lead, run.foreign.lead])
}

export function noteOf(run: Run, target: Target): string {
  const ids = run.account.notes.map(({ id }) => id)
  return pick(ids, target, [run.account.removed.note, run.foreign.note])
}

/** The same of an answered lead; the ids of its attributes must stay what they were. */
export function read(
  { account, way }: Pick<Run, "account" | "way">,
  answered: Record<string, unknown>,
): object {
  const { message, duplicate, potential_duplicate_id, possible_duplicates, changed, replaced, ...more } =
    answered
  // What a tool says beside the lead.
  const { contactable, ...told } = more
  // A tool leaves out what is null.
  const lead: Record<string, unknown> = way === "tool" ? { ...NULLS, ...told } : told
  const attributes = lead.attributes as { id: string; name: string; type: string; value: unknown }[]
  const ids = account.attributeIds.getOrInsertComputed(lead.id as string, () => new Map())
  for (const { id, name } of attributes) same(`the id of ${name}`, id, ids.getOrInsert(name, id))
  for (const name of ids.keys()) if (!attributes.some((one) => one.name === name)) ids.delete(name)
  return { ...lead, attributes: attributes.map(({ name, type, value }) => ({ name, type, value })) }
}

const NULLS = Object.fromEntries([...TEXTS, ...NUMBERS, ...TIMES].map((name) => [name, null]))

/** Throws when what was answered is not what should be, with the first place where it is not. */
export function same(what: string, found: unknown, wanted: unknown): void {
  if (Bun.deepEquals(found, wanted)) return
  const isTree = (value: unknown) => typeof value === "object" && value !== null
  if (isTree(found) && isTree(wanted)) {
    const [got, should] = [found, wanted] as Record<string, unknown>[]
    for (const name of new Set([...Object.keys(should!), ...Object.keys(got!)]))
      same(`${what}, ${name}`, got![name], should![name])
  }
  const [got, should] = [found, wanted].map((value) => JSON.stringify(value)?.slice(0, 700))
  throw new Error(`${what}: is ${got}, should be ${should}`)
}

/** Throws unless the status is right; a tool's success has no other status than 200. */
export function expectStatus({ way }: Run, { status, body }: Reply, wanted: number): void {
  const right = way === "tool" && wanted < 400 ? 200 : wanted
  if (status !== right)
    throw new Error(`status ${status}, should be ${right}: ${JSON.stringify(body)?.slice(0, 500)}`)
}

/** A delete tells nothing over REST, and which one it was as a tool. */
export function expectDeleted(run: Run, reply: Reply, id: string): void {
  expectStatus(run, reply, 204)
  same("the answer", reply.body, run.way === "tool" ? { id, deleted: true } : undefined)
}
