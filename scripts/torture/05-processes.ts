// Many processes on one file: two services, a tool server over stdio and the command line, all writing at once. Some
// leads belong to one client, others are shared: no acknowledged write may be lost.

import { Database } from "bun:sqlite"
import { openSink } from "../../test/support/hook.ts"
import { createService, type Service } from "../../test/support/service.ts"
import { load } from "./load/clients.ts"
import type { Account } from "./load/lead.ts"
import { type Sent, weight } from "./load/ledger.ts"
import { patiently } from "./load/patience.ts"
import { openAccounts, openClients } from "./load/place.ts"
import { findDamage } from "./load/sound.ts"
import { createVerifier } from "./load/verify.ts"
import { findLostUpdates, restPush, type Shared, share, toolPush } from "./processes/shared.ts"
import { openToolClient, type ToolClient } from "./processes/stdio.ts"
import { complain, type Row, type RowOptions, type RowResult } from "./row.ts"

const LONG_SECONDS = 120
const SHORT_SECONDS = 0.5

interface Tally {
  /** Acknowledged writes: of the services' own clients, to shared leads, of the command line. */
  own: number
  shared: number
  commands: number
  /** Requests refused since the machine had too much to do; they were sent again. */
  overloads: number
  wrong: number
  /** Milliseconds of the slowest answer to a write of a shared lead. */
  slowest: number
}

export const processes: Row = {
  number: 5,
  name: "processes",
  must: "two services, mcp and the command line on one file: no lost update, no 500, no busy error",
  seconds: LONG_SECONDS,
  run: (options) =>
    run(options, (options.short ? SHORT_SECONDS : Math.min(options.seconds, LONG_SECONDS)) * 1_000),
}

async function run(options: RowOptions, milliseconds: number): Promise<RowResult> {
  const { program, folder } = options
  const services = [createService({ program, folder }), createService({ program, folder })] as const
  const hook = openSink()
  const tally: Tally = { own: 0, shared: 0, commands: 0, overloads: 0, wrong: 0, slowest: 0 }
  try {
    const accounts = await openAccounts(services[0], hook.url, options.short ? 2 : 4)
    await services[1].start()
    const tools = await openToolClient({ program, folder, account: accounts[0]!.id })
    await writeAll(options, { services, accounts, tools, milliseconds }, tally)
    for (const code of [await tools.close(), await services[0].stop(), await services[1].stop()]) {
      if (code !== 0) complain(tally, "wrong", [`a process ended with ${code}`])
    }
    complain(tally, "wrong", findDamage(services[0].file))
  } finally {
    hook.close()
    await Promise.all(services.map((service) => service.kill()))
  }
  const { own, shared, commands, overloads, wrong, slowest } = tally
  const result = `${own} writes to leads of one client, ${shared} to leads of all, ${commands} commands beside, ${overloads} put off as overload: ${wrong} wrong; the slowest answer took ${slowest} ms`
  return { ok: wrong === 0 && own > 0 && shared > 0 && commands > 0, result, numbers: { ...tally } }
}

interface Trial {
  services: readonly [Service, Service]
  accounts: Account[]
  tools: ToolClient
  milliseconds: number
}

async function writeAll(options: RowOptions, trial: Trial, tally: Tally): Promise<void> {
  const { services, accounts, tools, milliseconds } = trial
  const [everybodys, ...others] = accounts
  const { file } = services[0]
  const sent: Sent[] = []
  const shared: Shared[] = []
  const isEnough = () => sent.some(({ acked }) => acked) && shared.some(({ changes }) => changes > 1)
  const signal = patiently(milliseconds, isEnough)
  const verifier = createVerifier(file, everybodys)
  const clients = openClients(others, 8, options.seed)
  const own = { batch: 40, batches: 0.1, sent: (one: Sent) => sent.push(one), now: () => 1, signal }
  const pushes = [restPush(services[0], everybodys!), restPush(services[1], everybodys!), toolPush(tools)]
  const [waits, made] = await Promise.all([
    share(shared, [...pushes, ...pushes, ...pushes], signal),
    runCommands(services[0], everybodys!.id, signal, tally),
    load({ ...own, url: services[0].url(), clients: clients.slice(0, 4) }),
    load({ ...own, url: services[1].url(), clients: clients.slice(4) }),
  ])
  tally.slowest = Math.round(waits)
  tally.shared = shared.reduce((sum, { changes }) => sum + changes, 0)
  tally.own = sent.reduce((sum, one) => sum + (one.acked ? weight(one) : 0), 0)
  tally.overloads = sent.filter(({ isRefused }) => isRefused).length
  const { lost, wrong } = await verifier.verify(sent)
  complain(tally, "wrong", [...lost, ...wrong, ...findLostUpdates(file, shared), ...findLostKeys(file, made)])
}

/** The command line beside them all. Resolves with the ids of the keys that it made. */
async function runCommands(
  service: Service,
  account: string,
  signal: AbortSignal,
  tally: Tally,
): Promise<string[]> {
  const keys: string[] = []
  for (let i = 0; i === 0 || !signal.aborted; i++) {
    const command = COMMANDS[i % COMMANDS.length]!.map((word) =>
      word.replace(/^N\b/, `n${i}`).replace("ID", account),
    )
    const { code, out, err } = await service.run(command)
    if (code !== 0) complain(tally, "wrong", [`leaddb ${command.join(" ")} ended with ${code}: ${err}`])
    if (code === 0 && command[0] === "keys") keys.push(JSON.parse(out).id ?? JSON.parse(out).key?.id)
    tally.commands++
  }
  return keys
}

const COMMANDS = [
  ["keys", "create", "--account", "ID", "--name", "N", "--json"],
  ["accounts", "create", "--name", "N", "--json"],
  ["backup", "N.db"],
  ["check"],
]

function findLostKeys(file: string, made: readonly string[]): string[] {
  using db = new Database(file, { readonly: true })
  const find = db.query("SELECT 1 FROM api_keys WHERE id = ?")
  return made.filter((id) => !find.get(id)).map((id) => `the key ${id} is lost`)
}
