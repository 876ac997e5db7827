// kill -9 at random moments under mixed writing. After each kill the file itself is held against what was
// acknowledged since the kill before, and looked through for damage; every few kills a new file is begun.
import { mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { openSink } from "../../test/support/hook.ts"
import { createService, type Service } from "../../test/support/service.ts"
import { createRandom, type Random } from "../seed/random.ts"
import { load } from "./load/clients.ts"
import type { Account, Client } from "./load/lead.ts"
import type { Sent } from "./load/ledger.ts"
import { aborted, patiently } from "./load/patience.ts"
import { openAccounts, openClients } from "./load/place.ts"
import { findDamage, findUndelivered } from "./load/sound.ts"
import { createVerifier, type Verifier, verifyAll } from "./load/verify.ts"
import { complain, type Numbers, type Row, type RowOptions, type RowResult } from "./row.ts"

interface Form {
  kills: number
  acked: number
  killsPerFile: number
  accounts: number
  clients: number
  batch: number
  /** Milliseconds from the service's first answer to its end, at most. */
  longest: number
}
const LONG: Form = {
  kills: 300,
  acked: 1_000_000,
  killsPerFile: 10,
  accounts: 4,
  clients: 6,
  batch: 600,
  longest: 4_000,
}
const SHORT: Form = {
  kills: 2,
  acked: 2,
  killsPerFile: 2,
  accounts: 1,
  clients: 8,
  batch: 40,
  longest: 300,
}

interface Tally {
  kills: number
  acked: number
  unheard: number
  lost: number
  wrong: number
  /** Kills before the service had answered for the first time. */
  early: number
}

/** A file under way. */
interface Trial {
  service: Service
  accounts: Account[]
  clients: Client[]
  verifier: Verifier
  random: Random
}

export const kill: Row = {
  number: 1,
  name: "kill",
  must: ">= 300 kills -9, >= 1,000,000 acknowledged writes, 0 lost, sound each time, every event arrives",
  seconds: 2_700,
  run: (options) => run(options, options.short ? SHORT : LONG),
}

async function run(options: RowOptions, form: Form): Promise<RowResult> {
  const tally: Tally = { kills: 0, acked: 0, unheard: 0, lost: 0, wrong: 0, early: 0, ...options.before }
  const until = performance.now() + options.seconds * 1_000
  const enough = () => tally.kills >= form.kills && tally.acked >= form.acked
  const arrived = new Set<string>()
  const hook = openSink((headers) => arrived.add(headers.get("x-service-delivery") ?? ""))
  try {
    while (!enough() && performance.now() < until && tally.lost + tally.wrong === 0) {
      arrived.clear()
      await tryFile(
        options,
        form,
        { url: hook.url, arrived },
        tally,
        () => enough() || performance.now() > until,
      )
      if (tally.lost + tally.wrong === 0) options.keep({ ...tally })
      options.progress(`${tally.kills} kills, ${tally.acked} acknowledged writes, ${tally.lost} lost`)
    }
  } finally {
    hook.close()
  }
  const { kills, acked, unheard, lost, wrong, early } = tally
  const ok = enough() && lost === 0 && wrong === 0
  const result = `${kills} kills (${early} while starting), ${acked} acknowledged writes, ${lost} lost, ${wrong} wrong; ${unheard} done but never answered`
  return { ok, result, numbers: tally as unknown as Numbers }
}

async function tryFile(
  options: RowOptions,
  form: Form,
  hook: { url: string; arrived: ReadonlySet<string> },
  tally: Tally,
  isOver: () => boolean,
): Promise<void> {
  const seed = options.seed * 1_000_000 + tally.kills
  const folder = join(options.folder, `file-${seed}`)
  mkdirSync(folder)
  const service = createService({ program: options.program, folder })
  try {
    const accounts = await openAccounts(service, hook.url, form.accounts)
    const clients = openClients(accounts, form.clients, seed)
    const trial = {
      service,
      accounts,
      clients,
      verifier: createVerifier(service.file),
      random: createRandom(seed),
    }
    for (let i = 0; i < form.killsPerFile && !(i > 0 && isOver()); i++) await killOnce(trial, form, tally)
    complain(tally, "wrong", verifyAll(service.file, accounts, clients))
    if (service.pid() === undefined) await service.start()
    complain(tally, "lost", await findUndelivered(service.file, hook.arrived))
    const { code, out } = await service.run(["check", "--json"])
    if (code !== 0) complain(tally, "wrong", [`leaddb check: ${out}`])
  } finally {
    await service.kill()
    if (tally.lost + tally.wrong === 0) rmSync(folder, { recursive: true })
  }
}

async function killOnce(trial: Trial, form: Form, tally: Tally): Promise<void> {
  const { service, clients, verifier, random } = trial
  const sent: Sent[] = []
  if (service.pid() === undefined) await startOrKill(trial, tally)
  // With kills enough, only writes are lacking.
  const longest = tally.kills < form.kills ? form.longest : 3 * form.longest
  const signal = patiently(random.between(form.longest / 5, longest), () => sent.some(({ acked }) => acked))
  const loading = load({
    url: service.url(),
    clients,
    batch: form.batch,
    batches: 0.3,
    sent: (one) => sent.push(one),
    now: () => 1,
    signal,
  })
  await Promise.race([aborted(signal), loading])
  await service.kill()
  await loading
  tally.kills++
  // Sometimes the service makes the file good before it is looked at, sometimes the reader is the first.
  if (random.chance(0.5)) await service.start()
  const { lost, wrong, acked, unheard } = await verifier.verify(sent)
  tally.acked += acked
  tally.unheard += unheard
  complain(tally, "lost", lost)
  complain(tally, "wrong", wrong)
  complain(tally, "wrong", findDamage(service.file))
}

/** Starts the service; one time in five it is killed before it is there, and started again. */
async function startOrKill({ service, random }: Trial, tally: Tally): Promise<void> {
  if (random.chance(0.2)) {
    const starting = service.start().catch(() => {})
    await Bun.sleep(random.between(5, 250))
    await service.kill()
    await starting
    tally.kills++
    tally.early++
  }
  await service.start()
}
