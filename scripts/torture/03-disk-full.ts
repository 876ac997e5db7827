// The disk is full, again and again: writing until it is, reading meanwhile, giving a little room, writing on. What
// was refused must not be there, what was acknowledged must, and a kill or a stop in between changes nothing.
import { closeSync, ftruncateSync, mkdirSync, openSync, statfsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { ask } from "../../test/support/ask.ts"
import { openSink } from "../../test/support/hook.ts"
import { createService, type Service } from "../../test/support/service.ts"
import { load } from "./load/clients.ts"
import type { Account, Client } from "./load/lead.ts"
import type { Sent } from "./load/ledger.ts"
import { openAccounts, openClients } from "./load/place.ts"
import { findDamage, findUndelivered } from "./load/sound.ts"
import { createVerifier, type Verifier, verifyAll } from "./load/verify.ts"
import { complain, type Row, type RowOptions, type RowResult } from "./row.ts"

interface Form {
  cycles: number
  megabytes: number
  accounts: number
}
const LONG: Form = { cycles: 50, megabytes: 48, accounts: 4 }
const SHORT: Form = { cycles: 2, megabytes: 8, accounts: 1 }

/** What a cycle gives room for. */
const STEP = 512 * 1024
/** How long writing may take to go on once there is room, in milliseconds. */
const PATIENCE_MS = 30_000

interface Tally {
  cycles: number
  refused: number
  acked: number
  wrong: number
  /** Milliseconds from room to the first write, the longest. */
  slowest: number
  /** Kills and orderly ends while the disk was full. */
  ends: number
}

interface Trial {
  service: Service
  accounts: Account[]
  clients: Client[]
  verifier: Verifier
  filler: Filler
  tally: Tally
}

export const diskFull: Row = {
  number: 3,
  name: "disk-full",
  must: "50 times full: clear 507, reads work, nothing damaged, writes resume by themselves",
  seconds: 900,
  run: (options) => run(options, options.short ? SHORT : LONG),
}

async function run(options: RowOptions, form: Form): Promise<RowResult> {
  const folder = join(options.folder, "disk")
  mkdirSync(folder)
  const why = mount(folder, form.megabytes)
  if (why)
    return { ok: true, result: `skipped: no small disk can be mounted here: ${why}`, numbers: { skipped: 1 } }
  const arrived = new Set<string>()
  const hook = openSink((headers) => arrived.add(headers.get("x-service-delivery") ?? ""))
  const unmount = () => void Bun.spawnSync(["umount", "-l", folder])
  process.once("exit", unmount)
  try {
    return await tryDisk(options, form, folder, { url: hook.url, arrived })
  } finally {
    hook.close()
    unmount()
    process.off("exit", unmount)
  }
}

/** Why it could not be. */
function mount(folder: string, megabytes: number): string | undefined {
  if (process.platform !== "linux" || !Bun.which("mount")) return "no mount command for it"
  const argv = ["mount", "-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder]
  const { success, stderr } = Bun.spawnSync(argv, { stderr: "pipe" })
  return success ? undefined : stderr.toString().trim()
}

interface Filler {
  /** Leaves so many bytes of the disk free. */
  leave(bytes: number): void
}

/** A file that fills the disk but for what the row leaves free. */
function openFiller(folder: string): Filler {
  const path = join(folder, "filler")
  let size = 0
  return {
    leave(bytes) {
      const { bavail, bsize } = statfsSync(folder)
      const wanted = Math.max(0, size + bavail * bsize - bytes)
      if (wanted > size) writeFileSync(path, Buffer.alloc(wanted - size), { flag: "a" })
      else {
        const file = openSync(path, "r+")
        ftruncateSync(file, wanted)
        closeSync(file)
      }
      size = wanted
    },
  }
}

interface Receiver {
  url: string
  /** Ids of the deliveries that came. */
  arrived: ReadonlySet<string>
}

async function tryDisk(options: RowOptions, form: Form, folder: string, hook: Receiver): Promise<RowResult> {
  const tally: Tally = { cycles: 0, refused: 0, acked: 0, wrong: 0, slowest: 0, ends: 0 }
  const until = performance.now() + options.seconds * 1_000
  const filler = openFiller(folder)
  const service = createService({ program: options.program, folder })
  try {
    await refuseToBegin(service, filler, tally)
    const accounts = await openAccounts(service, hook.url, form.accounts)
    const clients = openClients(accounts, 6, options.seed)
    const trial = { service, accounts, clients, verifier: createVerifier(service.file), filler, tally }
    while (tally.cycles < form.cycles && tally.wrong === 0 && performance.now() < until) {
      const end = (["stop", "none", "kill", "none"] as const)[tally.cycles % 4]!
      await fillOnce(trial, end)
      if (tally.cycles % 10 === 0) options.progress(`${tally.cycles} times full, ${tally.refused} refused`)
    }
    filler.leave(4 * STEP)
    await comeToRest(trial, hook.arrived)
  } finally {
    await service.kill()
  }
  const { cycles, refused, acked, wrong, slowest, ends } = tally
  const ok = cycles >= form.cycles && wrong === 0
  const result = `${cycles} times full (${ends} times killed or stopped while it was): ${refused} refused with 507, ${acked} acknowledged writes, ${wrong} wrong; writes resumed after ${slowest} ms at most`
  return { ok, result, numbers: { ...tally } }
}

/** A first start without any room says what is the matter. */
async function refuseToBegin(service: Service, filler: Filler, tally: Tally): Promise<void> {
  filler.leave(0)
  const { code, err } = await service.run(["accounts", "create", "--name", "none"])
  if (code !== 1 || !/full/.test(err))
    complain(tally, "wrong", [`on a full disk the first command ended ${code}: ${err}`])
  filler.leave(4 * STEP)
}

async function fillOnce(trial: Trial, end: "none" | "kill" | "stop"): Promise<void> {
  const { service, clients, verifier, filler, tally } = trial
  const sent: Sent[] = []
  const options = { url: service.url(), clients, batch: 40, batches: 0.3, now: () => 1, refusals: 5 }
  filler.leave(STEP)
  await load({ ...options, sent: (one) => sent.push(one), signal: AbortSignal.timeout(30_000) })
  tally.refused += sent.filter(({ isRefused }) => isRefused).length
  filler.leave(0)
  complain(tally, "wrong", await readAll(trial))
  if (end !== "none") await endWhileFull(trial, end)
  filler.leave(STEP)
  complain(tally, "wrong", await resume(trial))
  const { lost, wrong, acked } = await verifier.verify(sent)
  tally.acked += acked
  complain(tally, "wrong", [...lost, ...wrong, ...findDamage(service.file)])
  tally.cycles++
}

/** Everything that only reads works, and a write is refused clearly or done. */
async function readAll({ service, accounts }: Trial): Promise<string[]> {
  const { apiKey, id } = accounts[0]!
  const at = { url: service.url() }
  const complaints: string[] = []
  for (const path of [
    "/leads?limit=50",
    "/leads?filter=and.eq.city.berlin",
    "/leads/export?format=csv",
    "/stats",
  ]) {
    const { status } = await ask(at, apiKey, "GET", path)
    if (status !== 200) complaints.push(`GET ${path} was answered ${status}`)
  }
  const list = await service.run(["keys", "list", "--account", id])
  if (list.code !== 0) complaints.push(`leaddb keys list on a full disk: ${list.err}`)
  const lead = { name: "Too much", source: "torture", description: "x".repeat(90_000) }
  const { status, body } = await ask(at, apiKey, "POST", "/leads/batch", { leads: Array(40).fill(lead) })
  const answer = JSON.stringify(body)
  if (status !== 507 || !/"storage_full"/.test(answer) || !/disk is full/.test(answer)) {
    complaints.push(`a write on a full disk was answered ${status}: ${answer.slice(0, 200)}`)
  }
  return complaints
}

async function endWhileFull({ service, tally }: Trial, end: "kill" | "stop"): Promise<void> {
  if (end === "kill") await service.kill()
  else {
    const code = await service.stop()
    if (code !== 0) complain(tally, "wrong", [`an orderly end on a full disk has the exit code ${code}`])
  }
  tally.ends++
  await service.start()
}

/** Writes go on by themselves once there is room. */
async function resume({ service, accounts, tally }: Trial): Promise<string[]> {
  const { apiKey } = accounts[0]!
  const at = { url: service.url() }
  const began = performance.now()
  for (;;) {
    // Not a lead, since the leads are known to the last one.
    const rule = { name: "room", expression: "0" }
    const { status, body } = await ask(at, apiKey, "POST", "/scoring-rules", rule)
    const waited = Math.round(performance.now() - began)
    if (status === 201) {
      tally.slowest = Math.max(tally.slowest, waited)
      await ask(at, apiKey, "DELETE", `/scoring-rules/${body.id}`)
      return []
    }
    if (status !== 507) return [`a write was answered ${status}: ${JSON.stringify(body)}`]
    if (waited > PATIENCE_MS) return [`there is room, and writes are still refused after ${waited} ms`]
    await Bun.sleep(20)
  }
}

/** Deliveries that could not be noted on the full disk are made up for, and everything is where it should be. */
async function comeToRest(
  { service, accounts, clients, tally }: Trial,
  arrived: ReadonlySet<string>,
): Promise<void> {
  complain(tally, "wrong", await findUndelivered(service.file, arrived))
  complain(tally, "wrong", verifyAll(service.file, accounts, clients))
}
