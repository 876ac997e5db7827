// Writers of everything that the feed tells of: pushes, merges, updates, deletions, batches, and reverts of what they did.
import type { Random } from "../../seed/random.ts"
import { attempt } from "../client.ts"

interface WritersOptions {
  /** Where the service is by now. */
  url(): string
  key: string
  randoms: readonly Random[]
  signal: AbortSignal
}

interface Written {
  /** Requests that were answered with success. */
  acked: number
  /** What may be reverted. */
  batches: string[]
  wrong: string[]
}

/** Writes until the signal comes, through whatever happens to the service. */
export async function write(options: WritersOptions): Promise<Written> {
  const written: Written = { acked: 0, batches: [], wrong: [] }
  await Promise.all(options.randoms.map((random) => writeOn(options, random, written)))
  return written
}

async function writeOn({ url, key, signal }: WritersOptions, random: Random, written: Written) {
  const ids: string[] = []
  while (!signal.aborted) {
    const [method, path, body] = nextRequest(random, ids, written.batches)
    const answer = await attempt({ url: url() }, key, method, path, body)
    // The service is being killed, or has too much to do.
    if (!answer) await Bun.sleep(10)
    else if (answer.status >= 500)
      written.wrong.push(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    else if (answer.status < 300) {
      written.acked++
      take(answer.body ?? {}, ids, written.batches)
    }
  }
}

function take(
  answer: { id?: string; lead?: { id?: string }; batch_id?: string },
  ids: string[],
  batches: string[],
) {
  const id = answer.lead?.id ?? answer.id
  if (id !== undefined) ids.push(id)
  if (answer.batch_id !== undefined) batches.push(answer.batch_id)
  for (const list of [ids, batches]) if (list.length > 200) list.splice(0, 100)
}

function nextRequest(
  random: Random,
  ids: readonly string[],
  batches: readonly string[],
): [method: string, path: string, body?: object] {
  const dice = random.float()
  if (ids.length > 0 && dice < 0.25) return ["PUT", `/leads/${random.pick(ids)}`, someFields(random)]
  if (ids.length > 0 && dice < 0.35) return ["DELETE", `/leads/${random.pick(ids)}`]
  if (ids.length > 0 && dice < 0.4) {
    return ["POST", `/leads/${random.pick(ids)}/notes`, { content: "seen" }]
  }
  if (batches.length > 0 && dice < 0.5) {
    const options = { force: random.chance(0.5), split: random.chance(0.5) }
    return ["POST", "/changes/revert", { batch_id: random.pick(batches), ...options }]
  }
  if (dice < 0.65) {
    return [
      "POST",
      "/leads/batch",
      { leads: Array.from({ length: random.between(2, 20) }, () => aLead(random)) },
    ]
  }
  return ["POST", "/leads", aLead(random)]
}

/** A lead; many are recognised as ones that were pushed before. */
function aLead(random: Random): object {
  return {
    name: `Firm ${random.below(300)}`,
    email: `n${random.below(300)}@firm.example`,
    source: "web",
    ...someFields(random),
  }
}

function someFields(random: Random): object {
  return {
    city: random.pick(["Berlin", "Bonn", "Ulm"]),
    rating: random.below(6),
    tags: random.chance(0.3) ? [`t${random.below(9)}`] : [],
    ...(random.chance(0.2) && { attributes: [{ name: "size", type: "number", value: random.below(1_000) }] }),
  }
}
