// Every pattern that may meet the text of a client takes time in step with that text.
import { describe, expect, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import recheck from "recheck/package.json" with { type: "json" }
import { attacksOn } from "./attacks.ts"
import { growsLinearly, isLinear } from "./growth.ts"
import type { Made } from "./made.ts"
import { BOUNDED, FILES, LEFT_OUT, literalsIn, ROOT, textOf } from "./sources.ts"

// Its own entry starts workers and looks for native programs.
const { checkSync } = require("recheck/lib/browser.js") as typeof import("recheck")

/** Patterns that the checker takes 10 seconds and more for: the measurement alone speaks for them. */
const LARGE = /^(?:copyright\||\^\\W\*\(\(\(grand|\^\(\?:\\p\{L\}\+,\?\\s\+\)\?\(\\d\{1,2\}\))/
/** Patterns made of data of a library or of `BOUNDED`, for texts of at most 60 and 500 characters. */
const MADE_BOUNDED = ["src/text/phone.ts", "src/domain/leads/list/search-words.ts"]
/** Made of our own words and paths. */
const NOT_RUN = ["src/surfaces/dashboard/route.ts", "src/surfaces/rest/rest.ts"]
const SIZE = 4_000
/** Digests of patterns that the checker has found linear, since it takes seconds for some: it checks all others. */
const CHECKED = join(ROOT, "test/golden/checked-patterns.txt")
const CHECKER = `recheck ${recheck.version}`

type Pattern = Pick<Made, "at" | "source" | "flags">

const bun = Bun.spawnSync([process.execPath, join(import.meta.dir, "made.ts")])
const made: Made[] = bun.stdout
  .toString()
  .split("\n")
  .filter(Boolean)
  .map((line) => JSON.parse(line))
const literals = FILES.flatMap((file) => literalsIn(file))
const all = [
  ...literals,
  ...made.filter(({ at }) => !MADE_BOUNDED.some((file) => at.startsWith(file))),
].filter(({ source }) => BOUNDED[source] === undefined)
const patterns = [...new Map(all.map((one) => [`${one.source} ${one.flags}`, one])).values()]

describe("the patterns of the source", () => {
  test("are all found", () => {
    expect(literals.length).toBeGreaterThan(300)
    const sites = FILES.filter((file) => /new RegExp\(/.test(textOf(file)))
    const ran = new Set(made.map(({ at }) => at.split(":")[0]!))
    expect(sites.filter((file) => !ran.has(file) && !NOT_RUN.includes(file))).toEqual([])
  })

  test("leave out only what there is", () => {
    expect(LEFT_OUT.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
    const sources = new Set(literals.map(({ source }) => source))
    expect(Object.keys(BOUNDED).filter((source) => !sources.has(source))).toEqual([])
  })

  test("are linear by their automata", async () => {
    const isUpdating = process.env.UPDATE_GOLDEN !== undefined
    const known = new Set(isUpdating ? [] : readFileSync(CHECKED, "utf8").split("\n"))
    const wrong = patterns
      .filter((pattern) => !known.has(digestOf(pattern)))
      .flatMap((pattern) => complaintsOf(pattern))
    if (isUpdating && wrong.length === 0) {
      await Bun.write(CHECKED, `${patterns.map(digestOf).toSorted().join("\n")}\n`)
    }
    expect(wrong).toEqual([])
  }, 120_000)

  test("take at most two and a half times as long for twice the text", async () => {
    const wrong: string[] = []
    for (const { at, source, flags } of patterns) {
      const pattern = new RegExp(source, flags)
      const slow = await slowestOf(source, SIZE, (text) => {
        if (pattern.global) text.replace(pattern, "")
        else pattern.test(text)
        pattern.lastIndex = 0
      })
      if (slow) wrong.push(`${at} /${source}/${flags} on ${JSON.stringify(slow(30))}`)
    }
    expect(wrong).toEqual([])
  }, 120_000)
})

/** Names a pattern and the checker that has found it linear. */
function digestOf({ source, flags }: Pattern): string {
  return new Bun.CryptoHasher("sha256").update(`${CHECKER} ${source} ${flags}`).digest("hex").slice(0, 16)
}

function complaintsOf({ at, source, flags }: Pattern): string[] {
  if (LARGE.test(source)) return []
  const found = checkSync(source, flags, { checker: "automaton", timeout: null })
  const isUnknown = found.status === "unknown" && found.error.kind === "unsupported"
  return found.status === "safe" || isUnknown ? [] : [`${at} /${source}/${flags} is ${found.status}`]
}

/** The first attack on a pattern whose work grows faster than its text. */
async function slowestOf(source: string, size: number, run: (text: string) => void) {
  for (const attack of attacksOn(source)) {
    const make = (length: number) => {
      const text = attack(length)
      return () => run(text)
    }
    if (!(await isLinear(make, size))) return attack
  }
  return undefined
}

describe("the checks", () => {
  test.each([
    ["^\\s*(?:\\w+\\s*)*$", 7],
    ["[^\\s@]+@[^\\s@]+\\.x", 1_000],
    ["\\s*,\\s*", 1_000],
    ["^\\s*-?\\s*0\\s*$", 1_000],
  ])("find the quadratic pattern %s", async (source, size) => {
    expect(checkSync(source, "", { checker: "automaton", timeout: null }).status).toBe("vulnerable")
    const pattern = new RegExp(source)
    expect(await slowestOf(source, size, (text) => void pattern.test(text))).toBeDefined()
  })

  test.each([
    [1, true],
    [2, false],
  ])("call work of power %d of its size linear: %p", async (power, isLinear) => {
    const make = (size: number) => () => {
      let sum = 0
      for (let i = 0; i < size ** power; i++) sum += i % 7
      return sum
    }
    expect(await growsLinearly(make, 100)).toBe(isLinear)
  })
})
