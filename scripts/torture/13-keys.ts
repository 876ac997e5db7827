// Everybody who has no key, no longer a key, or one that allows less than they want.
import { join } from "node:path"
import { sendRaw } from "../../test/support/raw.ts"
import { createRandom } from "../seed/random.ts"
import { type Door, openDoor, SECRET } from "./abuse/doors.ts"
import { type Doors, KIND_NAMES, makeTrial, type Trial } from "./abuse/intruders.ts"
import type { Row, RowOptions, RowResult } from "./row.ts"

const TRIALS = 10_000
const SHORT_TRIALS = 320
const AT_ONCE = 8
/** Failed sign-ins from one address are limited for a minute; what is tried here is what comes before that. */
const PAUSE_EVERY = 80

export const keys: Row = {
  number: 13,
  name: "keys",
  must: "10,000 trials with revoked, expired, forged keys, forged roles and proxy secrets: 0 successes",
  seconds: 300,
  run,
}

async function run(options: RowOptions): Promise<RowResult> {
  await using open = await openDoor(join(options.folder, "open"))
  await using guarded = await openDoor(join(options.folder, "guarded"), SECRET)
  const doors = { open, guarded }
  const before = await Promise.all([open, guarded].map(stateOf))
  const outcome = await tryAll(options, doors)
  const after = await Promise.all([open, guarded].map(stateOf))
  const isUnchanged = JSON.stringify(before) === JSON.stringify(after)
  if (!isUnchanged) outcome.successes.push(`left ${JSON.stringify(after)}, was ${JSON.stringify(before)}`)
  const defects = [...open.errors, ...guarded.errors]
  for (const success of [...outcome.successes, ...defects].slice(0, 10)) options.progress(success)
  const { done, successes, statuses } = outcome
  const wanted = options.short ? SHORT_TRIALS : TRIALS
  const counts = Object.entries(statuses).map(([status, count]) => `${count} x ${status}`)
  return {
    ok: successes.length === 0 && defects.length === 0 && done >= wanted,
    result: `${done} trials of ${KIND_NAMES.length} kinds: ${successes.length} successes (${counts.join(", ")})`,
    numbers: { done, successes: successes.length, defects: defects.length },
  }
}

interface Outcome {
  done: number
  successes: string[]
  statuses: Record<number, number>
}

async function tryAll({ short, seed, seconds }: RowOptions, doors: Doors): Promise<Outcome> {
  const random = createRandom(seed)
  const outcome: Outcome = { done: 0, successes: [], statuses: {} }
  const end = performance.now() + seconds * 1_000
  const wanted = short ? SHORT_TRIALS : TRIALS
  for (let nth = 0; nth < wanted && performance.now() < end; nth += AT_ONCE) {
    if (nth % PAUSE_EVERY === 0) for (const door of Object.values(doors)) door.wait(60_000)
    const trials = Array.from({ length: Math.min(AT_ONCE, wanted - nth) }, (_, i) =>
      makeTrial(nth + i, doors, random),
    )
    await Promise.all(trials.map((trial) => attempt(trial, outcome)))
  }
  return outcome
}

async function attempt(trial: Trial, outcome: Outcome): Promise<void> {
  const { door, line, headers, body } = trial
  const length =
    body === "" ? [] : [`Content-Length: ${Buffer.byteLength(body)}`, "Content-Type: application/json"]
  const lines = [`${line} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`), ...length]
  const answer = await sendRaw(trial.mcp ? door.mcpUrl : door.url, lines.join("\r\n"), body)
  outcome.done++
  outcome.statuses[answer.status] = (outcome.statuses[answer.status] ?? 0) + 1
  if (await isSuccess(trial, answer)) {
    outcome.successes.push(
      `${trial.kind}: ${lines.join(" | ")} was answered ${answer.status} ${answer.body.slice(0, 200)}`,
    )
  }
}

/** Whether somebody got what they should not have. A tool says in its body that it refuses. */
async function isSuccess(trial: Trial, { status, body }: { status: number; body: string }): Promise<boolean> {
  if (trial.forged !== undefined) {
    const { body } = await trial.door.ask("GET", `/leads/${trial.door.lead}/changes?limit=100`)
    return body.changes.some((change: { actor_id: string }) => change.actor_id === trial.forged)
  }
  if (trial.mcp && status === 200) return !/"status":\s*(401|403|400|429)/.test(body)
  return ![400, 401, 403, 429].includes(status)
}

/** What intruders would have changed. Ratings are changed by those who may. */
async function stateOf(door: Door): Promise<unknown> {
  const [leads, keys, rules, webhooks] = await Promise.all(
    ["/leads", "/api-keys", "/scoring-rules", "/webhooks"].map((path) => door.ask("GET", path)),
  )
  const names = leads.body.leads.map((lead: { name: string }) => lead.name)
  return { names, keys: keys.body.length, rules: rules.body.length, webhooks: webhooks.body.length }
}
