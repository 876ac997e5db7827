// kill -9 beside pushes, edits, notes, merges, deletes and erasures, again and again: what searches find by the derived
// index as the kill has left it must be what they find by one that is made anew, and so must the pairs of duplicates.
import { Database } from "bun:sqlite"
import { copyFileSync, existsSync, mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { Condition, WordsCondition } from "../../src/filters/lead-query.ts"
import { createIds, systemClock } from "../../src/runtime/clock.ts"
import { checkDerived } from "../../src/store/sqlite/derived/check.ts"
import { indexFile, removeIndex } from "../../src/store/sqlite/derived/file.ts"
import { openSqliteStore } from "../../src/store/sqlite/index.ts"
import { createService, type Service } from "../../test/support/service.ts"
import { createRandom, type Random } from "../seed/random.ts"
import { type Known, type Request, startWriters, type Writers } from "./client.ts"
import { differencesOf, duplicatesOf } from "./derived/duplicates.ts"
import { aborted, patiently } from "./load/patience.ts"
import type { Row, RowOptions, RowResult } from "./row.ts"

/** `lives` are the milliseconds that writers have before a kill, at most. */
const LONG = { kills: 200, lives: 1_500 }
const SHORT = { kills: 3, lives: 500 }
/** Writes that come before a kill at least. */
const WRITES = 20
/** Writers at a time, and leads of a batch. */
const WRITERS = 4
const BATCH = 40
/** Places that leads are of. */
const PLACES = 300

const WORDS = ["zimt", "anis", "nelke", "kardamom", "muskat", "ingwer", "safran", "sesam", "mohn", "dill"]

export const derived: Row = {
  number: 22,
  name: "derived",
  must: "200 kills beside pushes, edits, notes, merges, deletes, erasures: searches and duplicates equal those of a new index",
  seconds: 1_800,
  run,
}

interface Tally {
  [name: string]: number
  kills: number
  writes: number
  questions: number
  pairs: number
  differences: number
}

async function run({ folder, program, seconds, seed, short, progress }: RowOptions): Promise<RowResult> {
  const service = createService({ program, folder: join(folder, "derived") })
  mkdirSync(service.folder)
  const random = createRandom(seed)
  const tally: Tally = { kills: 0, writes: 0, questions: 0, pairs: 0, differences: 0 }
  const wrong: string[] = []
  const end = performance.now() + 1_000 * seconds
  const { kills, lives } = short ? SHORT : LONG
  while (tally.kills < kills && performance.now() < end && wrong.length < 5) {
    await service.start()
    const { acked, wrong: answers } = await writeUntilKilled(service, random, lives)
    tally.writes += acked
    wrong.push(...answers)
    tally.kills++
    wrong.push(...(await compare(service.file, join(folder, "anew"), tally)))
    progress(`${tally.kills} kills, ${tally.writes} writes, ${wrong.length} differences`)
  }
  tally.differences = wrong.length
  const counted = `${tally.kills} kills, ${tally.writes} writes, ${tally.questions} questions, ${tally.pairs} pairs, ${wrong.length} differences`
  return {
    ok: tally.kills >= kills && wrong.length === 0 && tally.writes > 0,
    result: [counted, ...wrong].join("; "),
    numbers: tally,
  }
}

/** Writes with several clients until the service is killed, at a random moment. */
async function writeUntilKilled(service: Service, random: Random, lives: number): Promise<Writers> {
  const over = new AbortController()
  const writers = startWriters({
    url: () => service.url(),
    key: service.key(),
    randoms: Array.from({ length: WRITERS }, () => createRandom(random.below(1e9))),
    signal: over.signal,
    next: nextRequest,
  })
  await aborted(patiently(50 + random.below(lives), () => writers.acked >= WRITES))
  over.abort()
  await service.kill()
  await writers.ended
  return writers
}

function nextRequest(random: Random, { ids }: Known): Request {
  const one = () => ids[random.below(ids.length)] ?? "cl_01890000-0000-7000-8000-000000000000"
  const acts: readonly (() => Request)[] = [
    () => ["POST", "/leads/batch", { leads: Array.from({ length: BATCH }, () => aLead(random)) }],
    () => ["POST", "/leads", aLead(random)],
    () => ["PUT", `/leads/${one()}`, { name: words(random, 3), city: words(random, 1) }],
    () => ["POST", `/leads/${one()}/notes`, { content: words(random, 3) }],
    () => ["DELETE", `/leads/${one()}`],
    () => ["DELETE", `/leads/${one()}?erase=true`],
    () => ["POST", "/leads/merge", { survivor: one(), losers: [one()] }],
    () => ["GET", `/leads?q=${words(random, 1)}`],
  ]
  return random.pick(acts)()
}

const words = (random: Random, n: number) => Array.from({ length: n }, () => random.pick(WORDS)).join(" ")

/** A lead of one of a few places, every fourth with the name in another case: no push merges those of one place. */
function aLead(random: Random): object {
  const nth = random.below(PLACES)
  const place = createRandom(nth)
  const name = `${words(place, 2)} ${nth}`
  return {
    ...{ name: random.chance(0.25) ? name.toUpperCase() : name, source: "torture" },
    ...{ address: `${words(place, 1)}weg ${place.below(90)}`, city: words(place, 1) },
    description: words(random, 4),
    ...(random.below(3) === 0 && { source_id: `S${random.below(60)}` }),
  }
}

/** The differences between what searches find by the index that is there, brought up to date, and made anew. */
async function compare(file: string, folder: string, tally: Tally): Promise<string[]> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  const [here, anew] = [join(folder, "here.db"), join(folder, "anew.db")]
  // Copies, so that the next start finds everything as the kill has left it.
  for (const end of [".db", ".db-wal", ".index.db", ".index.db-wal"]) {
    const from = file.replace(/\.db$/, end)
    if (!existsSync(from)) continue
    copyFileSync(from, here.replace(/\.db$/, end))
    if (!end.includes("index")) copyFileSync(from, anew.replace(/\.db$/, end))
  }
  endLeases(here)
  const { found: asLeft } = await look(here, false)
  const { found: followed, duplicates: ofFollowed } = await look(here, true)
  removeIndex(anew)
  const { found: made, duplicates: ofMade } = await look(anew, true)
  tally.questions += Object.keys(made).length
  tally.pairs += ofMade!.found.size
  const wrong: string[] = differencesOf(ofFollowed!, ofMade!)
  for (const [question, ids] of Object.entries(made)) {
    if (asLeft[question] !== ids) wrong.push(`${question} as the kill has left it`)
    if (followed[question] !== ids) wrong.push(`${question} brought up to date`)
  }
  const { findings } = checkDerived(here)
  return [...wrong, ...findings.map(({ message }) => message)]
}

/** The killed process's leases end by themselves, some seconds later. */
function endLeases(file: string): void {
  if (!existsSync(indexFile(file))) return
  using db = new Database(indexFile(file))
  db.run("UPDATE index_state SET held_until = 0")
  db.run("UPDATE match_lease SET until = 0")
}

/** Answers of each question as texts, and the duplicates once all is indexed. */
async function look(file: string, isIndexed: boolean) {
  const store = openSqliteStore(file, createIds(systemClock))
  try {
    if (isIndexed) await store.indexAll()
    const found: Record<string, string> = {}
    for (const { key } of await store.read.accounts.list()) {
      for (const [question, condition] of questions()) {
        const ids = await store.read.leads.ids(key, { all: [condition], any: [] })
        found[question] = ids.toSorted().join()
      }
    }
    return { found, duplicates: isIndexed ? await duplicatesOf(file, store) : undefined }
  } finally {
    await store.close()
  }
}

function* questions(): Generator<[string, Condition]> {
  for (const [i, word] of WORDS.entries()) {
    const phrase = (text: string, isBegun = false) => [{ words: text.split(" "), isBegun }]
    const next = WORDS[(i + 1) % WORDS.length]!
    const words: { not: false } & Omit<WordsCondition, "all"> = { on: "words", not: false, none: [] }
    yield [word, { ...words, all: [phrase(word)] }]
    yield [`${word}*`, { ...words, all: [phrase(word.slice(0, 2), true)] }]
    yield [`"${word} ${next}"`, { ...words, all: [phrase(`${word} ${next}`)] }]
    yield [`${word} -${next}`, { ...words, all: [phrase(word)], none: [phrase(next)] }]
    yield [`not ${word}`, { ...words, not: true, all: [phrase(word)] }]
    const part = word.slice(0, 3)
    yield [
      `name has ${part}`,
      { on: "text", not: false, field: "name", operator: "contains", values: [part] },
    ]
    yield [
      `description has ${part}`,
      { on: "text", not: false, field: "description", operator: "contains", values: [`${part}`] },
    ]
  }
}
