// Rows 32 and 33: creates of few and of many accounts by several instances, what the database pays for each, and who waits
// for whom.
import { connect, sendQuery } from "../../../src/store/postgres/connection/query.ts"
import { type Instances, openInstances } from "../../../test/support/instances.ts"
import { runOnce } from "../../../test/support/postgres.ts"
import { busyWithChildren } from "../../torture/abuse/gauge.ts"
import { freshLeads } from "../dataset.ts"
import type { Bench } from "../group.ts"
import { type Check, check, note, type Spread, spread } from "../harness.ts"
import { accounts, serverOf } from "./cluster.ts"

const ACCOUNTS = [1, 10, 100, 1_000]
const INSTANCES = 4
const CONNECTIONS = 16
/** Some for each of the most accounts. */
const CREATES = 2_000
const ROUNDS = 3
/** How often it is looked who waits for a lock. */
const LOOK_MS = 100

/**
 * Who waits for a lock now, how many of them for another transaction with something else than the row of their account,
 * which is how accounts would meet, and how many for the server's own short ones, such as for a file that grows.
 */
const WAITING = `SELECT count(*)::int AS all,
    (count(*) FILTER (WHERE wait_event IN ('transactionid', 'tuple')
      AND query NOT LIKE '%FROM accounts%FOR UPDATE%' AND query NOT LIKE '%request_counts%'))::int AS across,
    (count(*) FILTER (WHERE wait_event NOT IN ('transactionid', 'tuple')))::int AS own
  FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`

/** Rows 32 and 33. */
export async function manyAccounts({ program }: Bench): Promise<Check[]> {
  await using instances = await openInstances(INSTANCES, { LEADDB_LOG: "off" }, undefined, [program])
  const keys = await accounts(instances.database, Math.max(...ACCOUNTS))
  const server = await serverOf(instances.database)
  const taken = new Map(ACCOUNTS.map((count) => [count, [] as Taken[]]))
  let series = 100
  for (let round = -1; round < ROUNDS; round++) {
    for (const count of round % 2 === 0 ? ACCOUNTS : ACCOUNTS.toReversed()) {
      const one = await creates(instances, keys.slice(0, count), server, series++)
      if (round >= 0) taken.get(count)!.push(one)
    }
  }
  const of = (name: keyof Taken) => ACCOUNTS.map((count) => taken.get(count)!.map((one) => one[name]))
  const most = (values: readonly number[][], round: number) => Math.max(...values.map((one) => one[round]!))
  const least = (values: readonly number[][], round: number) => Math.min(...values.map((one) => one[round]!))
  const rounds = Array.from({ length: ROUNDS }, (_, round) => round)
  const cpu = of("cpu")
  // Where there is one account, nobody waits for another one.
  const across = of("across").filter((_, i) => ACCOUNTS[i]! > 1)
  return [
    check(
      32,
      "creates of 1 to 1,000 accounts, the database's CPU time for each: most / least",
      spread(rounds.map((round) => most(cpu, round) / least(cpu, round))),
      "<= 1.25",
      "x",
    ),
    check(
      33,
      "creates of 10 to 1,000 accounts, transactions that wait for another account at any moment",
      spread(rounds.map((round) => most(across, round))),
      "<= 0.05",
      "x",
    ),
    ...ACCOUNTS.flatMap((count) => told(count, taken.get(count)!)),
  ]
}

interface Waiting {
  all: number
  across: number
  own: number
}

interface Taken {
  /** Processor time of the database for each create, in milliseconds. */
  cpu: number
  waiting: number
  across: number
  own: number
}

function told(count: number, rounds: readonly Taken[]): Check[] {
  const work = `creates of ${count.toLocaleString("en-US")} accounts`
  const of = (name: keyof Taken): Spread => spread(rounds.map((one) => one[name]))
  return [
    note(`${work}, the database's CPU time for each`, of("cpu"), "ms"),
    note(`${work}, transactions that wait for a lock`, of("waiting"), "x"),
    note(`${work}, those that wait for another account`, of("across"), "x"),
    note(`${work}, those that wait for the server itself`, of("own"), "x"),
  ]
}

async function creates(
  { database, all }: Instances,
  keys: readonly string[],
  server: number,
  series: number,
): Promise<Taken> {
  const leads = freshLeads(CREATES, series)
  const looks: Waiting[] = []
  const watching = connect(database, 1)
  let next = 0
  let isDone = false
  // Each begins with tables that are known as they are, whenever the server itself gets to it.
  await runOnce(database, "VACUUM ANALYZE")
  const before = busyWithChildren(server)
  async function work(): Promise<void> {
    while (next < leads.length) {
      const i = next++
      const key = { "X-API-Key": keys[i % keys.length]! }
      const one = () => all[i % INSTANCES]!.call("POST", "/leads", leads[i], key)
      // A service may end an idle connection at the moment it is used again.
      const reply = await one().catch(one)
      if (reply.status > 201) throw new Error(`a create was answered with ${JSON.stringify(reply.body)}`)
    }
  }
  async function look(): Promise<void> {
    while (!isDone) {
      looks.push((await sendQuery(watching, WAITING))[0] as unknown as Waiting)
      await Bun.sleep(LOOK_MS)
    }
    await watching.close()
  }
  const looking = look()
  await Promise.all(Array.from({ length: CONNECTIONS }, work))
  isDone = true
  await looking
  const mean = (name: keyof Waiting) => looks.reduce((sum, one) => sum + one[name], 0) / looks.length
  const cpu = ((busyWithChildren(server) - before) * 1_000) / CREATES
  return { cpu, waiting: mean("all"), across: mean("across"), own: mean("own") }
}
