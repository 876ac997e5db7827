// The power fails: everything that leaddb does to its files is written down, and the disk rebuilt as a cut at any
// moment may have left it, with unsynced writes dropped, torn and out of order. As a control, a disk that only
// pretends to sync the log must be found out.
import { existsSync, mkdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openSink } from "../../test/support/hook.ts"
import { createRandom, type Random } from "../seed/random.ts"
import { createDisk, FATES, type Fate } from "./power-cut/disk.ts"
import type { LogRecord } from "./power-cut/log.ts"
import { type Recording, type RecordOptions, record } from "./power-cut/record.ts"
import { createJudge, type Judge } from "./power-cut/replay.ts"
import { buildShim, whyNoShim } from "./power-cut/shim.ts"
import type { Row, RowOptions, RowResult } from "./row.ts"

interface Form extends Pick<RecordOptions, "session" | "accounts" | "batch" | "ends"> {
  cuts: number
  /** Cuts of each recording, and of its control. */
  each: number
  controls: number
}
const LONG: Form = {
  cuts: 5_000,
  each: 400,
  controls: 40,
  session: 500,
  accounts: 3,
  batch: 60,
  ends: ["checkpoint", "stop", "checkpoint", "kill"],
}
const SHORT: Form = {
  cuts: 20,
  each: 20,
  controls: 10,
  session: 80,
  accounts: 1,
  batch: 20,
  ends: ["checkpoint", "kill"],
}

interface Tally {
  cuts: number
  lost: number
  corrupt: number
  /** How many writes and syncs were recorded. */
  records: number
  /** Cuts on a disk that pretends to sync, and how many of them lost something. */
  pretended: number
  caught: number
}

export const powerCut: Row = {
  number: 2,
  name: "power-cut",
  must: ">= 5,000 power cuts, 0 acknowledged writes lost, 0 files damaged",
  seconds: 2_700,
  run: (options) => run(options, options.short ? SHORT : LONG),
}

async function run(options: RowOptions, form: Form): Promise<RowResult> {
  const why = whyNoShim()
  if (why) return { ok: true, result: `skipped: ${why}`, numbers: { skipped: 1 } }
  const tally = { cuts: 0, lost: 0, corrupt: 0, records: 0, pretended: 0, caught: 0, ...options.before }
  const until = performance.now() + options.seconds * 1_000
  const shim = buildShim(options.folder)
  const hook = openSink()
  try {
    while (tally.cuts < form.cuts && tally.lost + tally.corrupt === 0) {
      if (performance.now() > until) break
      const seed = options.seed * 1_000_000 + tally.cuts
      await tryRecording(options, form, { shim, hook: hook.url, seed }, tally)
      if (tally.lost + tally.corrupt === 0) options.keep({ ...tally })
      options.progress(`${tally.cuts} cuts, ${tally.lost} lost, ${tally.corrupt} damaged`)
    }
  } finally {
    hook.close()
  }
  const { cuts, lost, corrupt, records, pretended, caught } = tally
  const ok = cuts >= form.cuts && lost === 0 && corrupt === 0 && caught > 0
  const control = `on a disk that pretends to sync the log ${caught} of ${pretended} cuts lost something`
  const result = `${cuts} cuts in ${records} recorded changes: ${lost} lost, ${corrupt} damaged; control: ${control}`
  return { ok, result, numbers: tally }
}

async function tryRecording(
  options: RowOptions,
  { each, controls, ...form }: Form,
  { shim, hook, seed }: { shim: string; hook: string; seed: number },
  tally: Tally,
): Promise<void> {
  const folder = join(options.folder, `recording-${seed}`)
  const { program } = options
  const recording = await record({ program, folder, shim, seed, hook, ...form })
  tally.records += recording.records.length
  const place = join(roomy(), `leaddb-power-cut-${process.pid}`)
  const judge = createJudge(recording.sent, place)
  const random = createRandom(seed)
  try {
    const trusted = await replay(recording, judge, random, { cuts: each, fates: FATES })
    tally.cuts += each
    tally.lost += trusted.lost
    tally.corrupt += trusted.corrupt
    for (const one of trusted.complaints) console.error(`power cut (seed ${seed}): ${one}`)
    const control = { cuts: controls, fates: ["none"], ignored: isLog } as const
    const pretending = await replay(recording, judge, random, control)
    tally.pretended += controls
    tally.caught += pretending.bad
  } finally {
    rmSync(place, { recursive: true, force: true })
    if (tally.lost + tally.corrupt === 0) rmSync(folder, { recursive: true })
  }
}

/** In memory where there is room: the files of a cut are written and thrown away. */
function roomy(): string {
  const folder = existsSync("/dev/shm") ? "/dev/shm" : tmpdir()
  mkdirSync(folder, { recursive: true })
  return folder
}

interface Replayed {
  lost: number
  corrupt: number
  /** Cuts with something wrong. */
  bad: number
  complaints: string[]
}

interface Cuts {
  cuts: number
  fates: readonly Fate[]
  /** The files whose syncs the disk pretends to do. */
  ignored?: (path: string) => boolean
}

const isLog = (path: string) => path.endsWith("-wal")

async function replay(
  { records }: Recording,
  judge: Judge,
  random: Random,
  { cuts, fates, ignored }: Cuts,
): Promise<Replayed> {
  const disk = createDisk(ignored)
  const replayed: Replayed = { lost: 0, corrupt: 0, bad: 0, complaints: [] }
  let at = 0
  for (const moment of moments(records, cuts, random)) {
    for (; at <= moment; at++) disk.apply(records[at]!)
    const fate = random.pick(fates)
    const { lost, corrupt } = await judge.judge(disk.cut(fate, random), records[moment]!.end)
    replayed.lost += lost.length
    replayed.corrupt += corrupt.length
    if (lost.length + corrupt.length > 0) replayed.bad++
    const where = `after change ${moment} of ${records.length}, leaving ${fate}`
    replayed.complaints.push(...[...lost, ...corrupt].slice(0, 3).map((what) => `${where}: ${what}`))
  }
  return replayed
}

/** When the power fails: half of the times anywhere, half beside something rarer than an appended frame. */
function moments(records: readonly LogRecord[], count: number, random: Random): number[] {
  const rare = records.flatMap(({ kind, data }, i) =>
    kind === "write" && data.length !== 24 && data.length !== 4_096
      ? [i]
      : kind === "write" || kind === "sync"
        ? []
        : [i],
  )
  const last = records.length - 1
  const chosen = Array.from({ length: count }, () => {
    if (rare.length === 0 || random.chance(0.5)) return random.below(records.length)
    return Math.max(0, Math.min(last, random.pick(rare) + random.between(-3, 30)))
  })
  return chosen.sort((a, b) => a - b)
}
