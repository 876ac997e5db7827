// The dashboard's languages: every text goes through the table, and the tables are whole.
import { describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { ROLES } from "../../src/access/rights.ts"
import { SAID } from "../../src/dashboard/texts/german/said.ts"
import { TABLES } from "../../src/dashboard/texts/german/tables.ts"
import { ATTRIBUTE_TYPES, STATUSES } from "../../src/lead/lead.ts"
import { LEAD_FIELD_NAMES } from "../../src/lead/lead-fields.ts"
import {
  ADMIN_ACTIONS,
  CHANGE_ACTIONS,
  DELIVERY_STATUSES,
  IMPORT_STATES,
} from "../../src/store/contract/store.ts"
import { languageOf } from "../../src/surfaces/http/request.ts"
import { SOURCE, sentence, textsIn } from "./source-texts.ts"

/** Pages whose texts are still in English alone: a page leaves the list when it is converted. */
const ENGLISH_ALONE: readonly string[] = []
/** The sample leads are data, months are in `format.ts` by language, and `bridge.ts` is a program. */
const DATA = ["core/sample.ts", "core/format.ts", "connect/bridge.ts"]

const FILES = [...new Bun.Glob("**/*.{ts,tsx}").scanSync(SOURCE)]
  .filter((file) => !file.startsWith("texts/") && file !== "core/text.ts")
  .toSorted()
const read = (file: string) => textsIn(readFileSync(join(SOURCE, file), "utf8"))

/** Words of the API that are shown as sentences. */
const SHOWN = [
  ...[...LEAD_FIELD_NAMES, ...STATUSES, ...ATTRIBUTE_TYPES, ...ROLES, ...CHANGE_ACTIONS],
  ...[...DELIVERY_STATUSES, ...IMPORT_STATES],
  ...ADMIN_ACTIONS.map((action) => action.replace(".", " ")),
  ...["update", "delete", "add_tags", "remove_tags", "add_note", "score"],
  ...["gray", "blue", "teal", "green", "amber", "red", "violet"],
].map(sentence)

/** What the service says of a pair, in parts: its table, and those with a number or words in quotes. */
const OF_PAIRS = [
  ...[
    ...readFileSync(join(SOURCE, "../matching/compare/reasons.ts"), "utf8").matchAll(/"[\w.]+": "([^"]+)"/g),
  ].flatMap(([, text]) => text!.split(", ")),
  ...["name and company swapped", "one is in the place that the other names", "same name", "other name"],
  ...["name {value} % alike", "{value} aside", "other numbers in it", "of two things"],
  ...["the same with its place", "{value} m apart", "{value} km apart", "shared by {value} leads"],
  ...["same", "nearly the same", "other"],
]

const GERMAN: Record<string, string> = Object.assign({}, ...TABLES)

describe("the source of the dashboard", () => {
  test("is read at all", () => {
    expect(FILES.length).toBeGreaterThan(80)
    const example = 'const a = <p title="Two words" class="x y">Hello <b>{t("you")}</b></p>'
    expect(textsIn(example)).toEqual({ asked: new Set(["you"]), outside: ["1: Two words", "1: Hello"] })
  })

  test.each(FILES.filter((file) => !DATA.includes(file) && !ENGLISH_ALONE.includes(file)))(
    "%s has no text for people outside of the table",
    (file) => {
      expect(read(file).outside).toEqual([])
    },
  )

  test("names no page as English alone that is converted", () => {
    expect(ENGLISH_ALONE.filter((file) => !FILES.includes(file) || read(file).outside.length === 0)).toEqual(
      [],
    )
  })
})

describe("German", () => {
  const asked = new Set([
    ...SHOWN,
    ...OF_PAIRS,
    ...Object.keys(SAID),
    ...FILES.flatMap((file) => [...read(file).asked]),
  ])
  const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).toSorted()

  test("has every text that is asked for", () => {
    expect([...asked].filter((text) => !Object.hasOwn(GERMAN, text))).toEqual([])
  })

  test("has no text that nothing asks for, and none twice", () => {
    expect(Object.keys(GERMAN).filter((text) => !asked.has(text))).toEqual([])
    const all = TABLES.flatMap((table) => Object.keys(table))
    expect(all.filter((text, i) => all.indexOf(text) !== i)).toEqual([])
  })

  test("has the places for values that English has", () => {
    for (const [english, german] of Object.entries(GERMAN)) {
      const own = placeholders(german)
      // What only programs need of a sentence of the service is left out.
      const given = placeholders(english).filter(
        (name) => !Object.hasOwn(SAID, english) || own.includes(name),
      )
      expect([english, own]).toEqual([english, given])
    }
  })

  test("has no sentence of the service that the service does not say", () => {
    const service = [...new Bun.Glob("**/*.ts").scanSync(join(SOURCE, ".."))]
      .filter((file) => !file.startsWith("dashboard/"))
      .map((file) => readFileSync(join(SOURCE, "..", file), "utf8"))
      .join("\n")
      .replaceAll(/["`] \+\s*["`]/g, "")
    const parts = (text: string) =>
      text
        .split(/\{\w+\}|; | at |the row |, the header|cells?/)
        .map((part) => part.match(/\w.*\w/s)?.[0] ?? "")
    expect(Object.keys(SAID).filter((text) => !parts(text).every((part) => service.includes(part)))).toEqual(
      [],
    )
  })

  test("says nothing with an empty text, and begins and ends with the blanks of the English one", () => {
    for (const [english, german] of Object.entries(GERMAN)) {
      expect([english, german.trim() !== ""]).toEqual([english, true])
      const blanks = (text: string) => [text.startsWith(" "), text.endsWith(" ")]
      expect([english, blanks(german)]).toEqual([english, blanks(english)])
    }
  })
})

describe("the language of the page", () => {
  const CASES: [headers: Record<string, string>, language: string][] = [
    [{}, "en"],
    [{ "Accept-Language": "de" }, "de"],
    [{ "Accept-Language": "de-AT,de;q=0.9,en;q=0.8" }, "de"],
    [{ "Accept-Language": "en-US,en;q=0.9,de;q=0.8" }, "en"],
    [{ "Accept-Language": "en;q=0.5, de;q=0.7" }, "de"],
    [{ "Accept-Language": "fr,de;q=0.5" }, "de"],
    [{ "Accept-Language": "fr" }, "en"],
    [{ "Accept-Language": "de;q=0, en" }, "en"],
    [{ "Accept-Language": ";;;,q=1,*" }, "en"],
    [{ Cookie: "leaddb-language=de" }, "de"],
    [{ Cookie: "a=b; leaddb-language=en", "Accept-Language": "de" }, "en"],
    [{ Cookie: "leaddb-language=xx", "Accept-Language": "de" }, "de"],
  ]
  test.each(CASES)("by %j is %s", (headers, language) => {
    expect(languageOf(new Headers(headers), ["de"])).toBe(language)
  })
})
