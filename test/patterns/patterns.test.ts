// Every pattern that may meet the text of a client takes time in step with that text.
import { describe, expect, test } from "bun:test"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { attacksOn } from "./attacks.ts"
import { isLinear } from "./growth.ts"
import type { Made } from "./made.ts"
import { BOUNDED, FILES, LEFT_OUT, literalsIn, ROOT, textOf } from "./sources.ts"

// Its own entry starts workers and looks for native programs.
const { checkSync } = require("recheck/lib/browser.js") as typeof import("recheck")

/** Patterns that the checker takes 10 seconds and more for: the measurement alone speaks for them. */
const LARGE = /^(?:copyright\||\^\\W\*\(\(\(grand|\^\(\?:\\p\{L\}\+,\?\\s\+\)\?\(\\d\{1,2\}\))/
/** Patterns made of data of a library or of `BOUNDED`, for texts of at most 60 and 500 characters. */
const MADE_BOUNDED = ["src/core/phone.ts", "src/domain/leads/list/search.ts"]
/** Made of two words of our own. */
const NOT_RUN = ["src/surfaces/dashboard/route.ts"]
const SIZE = 4_000

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

  test("are linear by their automata", () => {
    const wrong = patterns.flatMap(({ at, source, flags }) => {
      if (LARGE.test(source)) return []
      const found = checkSync(source, flags, { checker: "automaton", timeout: null })
      const isUnknown = found.status === "unknown" && found.error.kind === "unsupported"
      return found.status === "safe" || isUnknown ? [] : [`${at} /${source}/${flags} is ${found.status}`]
    })
    expect(wrong).toEqual([])
  }, 120_000)

  test("take at most two and a half times as long for twice the text", () => {
    const wrong = patterns.flatMap(({ at, source, flags }) => {
      const pattern = new RegExp(source, flags)
      const slow = attacksOn(source).find(
        (attack) =>
          !isLinear((size) => {
            const text = attack(size)
            return () => {
              if (pattern.global) text.replace(pattern, "")
              else pattern.test(text)
              pattern.lastIndex = 0
            }
          }, SIZE),
      )
      return slow ? [`${at} /${source}/${flags} on ${JSON.stringify(slow(30))}`] : []
    })
    expect(wrong).toEqual([])
  }, 120_000)
})

describe("the checks", () => {
  test.each(["^\\s*(?:\\w+\\s*)*$", "[^\\s@]+@[^\\s@]+\\.x", "\\s*,\\s*", "^\\s*-?\\s*0\\s*$"])(
    "find the quadratic pattern %s",
    (source) => {
      expect(checkSync(source, "", { checker: "automaton", timeout: null }).status).toBe("vulnerable")
      const pattern = new RegExp(source)
      // What takes exponential time takes it from 30 characters on.
      const size = source.endsWith(")*$") ? 6 : 1_000
      const make = (attack: (size: number) => string) => (length: number) => {
        const text = attack(length)
        return () => void pattern.test(text)
      }
      const isFound = attacksOn(source).some(
        (attack) => !isLinear(make(attack), size, size === 6 ? 0 : undefined),
      )
      expect(isFound).toBe(true)
    },
  )
})
