// Has leaddb written to while everything it does to its files is written down: first start, load, checkpoints beside
// it, an orderly stop, kills, starts after each.
import { existsSync, mkdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { createService, type Service } from "../../../test/support/service.ts"
import { createRandom } from "../../seed/random.ts"
import { load } from "../load/clients.ts"
import type { Account, Client } from "../load/lead.ts"
import type { Sent } from "../load/ledger.ts"
import { patiently } from "../load/patience.ts"
import { openAccounts, openClients } from "../load/place.ts"
import { type LogRecord, readLog } from "./log.ts"
import { shimEnv } from "./shim.ts"

export interface Recording {
  records: LogRecord[]
  accounts: Account[]
  sent: Sent[]
}

export interface RecordOptions {
  program: readonly string[]
  folder: string
  shim: string
  seed: number
  hook: string
  /** Milliseconds of writing in each of the sessions. */
  session: number
  batch: number
  accounts: number
  /** How the sessions end, but for the last, which is stopped. */
  ends: readonly ("checkpoint" | "stop" | "kill")[]
}

const CHECKPOINT = `
  const { Database } = await import("bun:sqlite")
  const db = new Database(process.argv[1], { readwrite: true })
  db.run("PRAGMA busy_timeout = 2000")
  for (const mode of process.argv.slice(2)) {
    db.query("PRAGMA wal_checkpoint(" + mode + ")").all()
    await Bun.sleep(30)
  }
  db.close()`

export async function record(options: RecordOptions): Promise<Recording> {
  const { program, folder, shim, seed, hook } = options
  const watched = join(folder, "disk")
  const log = join(folder, "log")
  mkdirSync(watched, { recursive: true })
  const env = shimEnv(shim, log, watched)
  const service = createService({ program, folder, data: join(watched, "some/data"), env })
  const random = createRandom(seed)
  const sent: Sent[] = []
  try {
    const accounts = await openAccounts(service, hook, options.accounts)
    const clients = openClients(accounts, 6, seed)
    for (const end of options.ends) {
      if (service.pid() === undefined) await service.start()
      const write = (ms: number) => session(service, clients, sent, log, options.batch, ms)
      await write(random.between(options.session / 2, options.session))
      if (end === "checkpoint") {
        const modes = ["PASSIVE", "RESTART", "TRUNCATE", "FULL"].filter(() => random.chance(0.6))
        const beside = Bun.spawn([process.execPath, "-e", CHECKPOINT, service.file, ...modes], {
          env: { ...process.env, ...env },
        })
        await write(options.session)
        await beside.exited
      } else if (end === "kill") await service.kill()
      else await service.stop()
    }
    await service.start()
    await session(service, clients, sent, log, options.batch, options.session / 2)
    await service.stop()
    return { records: readLog(log), accounts, sent }
  } finally {
    await service.kill()
  }
}

/** Writes for a while, and waits for the last answers. */
async function session(
  service: Service,
  clients: readonly Client[],
  sent: Sent[],
  log: string,
  batch: number,
  milliseconds: number,
): Promise<void> {
  const now = () => (existsSync(log) ? statSync(log).size : 0)
  const before = sent.length
  const over = patiently(milliseconds, () => sent.slice(before).some(({ acked }) => acked))
  const note = (one: Sent) => void sent.push(one)
  await load({ url: service.url(), clients, batch, batches: 0.1, sent: note, now, signal: over })
}
