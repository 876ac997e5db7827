import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { generate } from "../../src/expression/generate.ts"
import { checkExpression, compileRules, FIELD_KINDS } from "../../src/expression/index.ts"
import { words } from "../support/words.ts"
import { anyText } from "./arbitraries.ts"
import { checked, LEAD, NOW, valueFor } from "./support.ts"

const INHERITED = ["constructor", "__proto__", "prototype", "toString", "valueOf", "hasOwnProperty"]
const JAVASCRIPT = words("globalThis process require eval Function this arguments Bun Math")
const OURS = words("lead now helpers constants attributes numberOf list sum f0 t0 c0")

const HOSTILE = [
  `"`,
  `'`,
  "`",
  "\\",
  `\\"`,
  `\\\\"`,
  `");process.exit();("`,
  "');process.exit();('",
  `\${process.exit()}`,
  `\`\${process.exit()}\``,
  "*/ process.exit() /*",
  "// x",
  "</script>",
  "\n",
  "\r\n",
  "\u2028",
  "\u2029",
  "\u2028process.exit()",
  "\0",
  "\ud800",
  "$&$1$`",
  "__proto__",
  "constructor",
]

/** A text as a literal of the scoring language. */
function quote(text: string, mark = '"'): string {
  return mark + text.replaceAll("\\", "\\\\").replaceAll(mark, `\\${mark}`) + mark
}

describe("names", () => {
  test.each([...INHERITED, ...JAVASCRIPT, ...OURS])("%s is neither a field nor a function", (name) => {
    expect(checkExpression(name).ok).toBe(false)
    expect(checkExpression(`${name}(1)`).ok).toBe(false)
  })

  test.each([...INHERITED, ...JAVASCRIPT, ...OURS])("attr_%s is 0 on a lead without it", (name) => {
    expect(valueFor(`attr_${name}`)).toBe(0)
    expect(valueFor(`attr_${name} == ""`)).toBe(1)
    expect(valueFor(`len(attr_${name})`)).toBe(0)
    const bare = JSON.parse(`{"rating": 1, "__proto__": {"city": "x"}, "attributes": []}`)
    expect(valueFor(`attr_${name} ? 1 : 2`, bare)).toBe(2)
  })

  test.each([...INHERITED, ...JAVASCRIPT, ...OURS])("attr_%s is the attribute's value", (name) => {
    expect(valueFor(`attr_${name}`, { attributes: [{ name, value: 5 }] })).toBe(5)
  })
})

describe("texts", () => {
  test.each(HOSTILE)("%p is nothing but a text", (text) => {
    const attributes = [{ name: "a", value: text }]
    for (const mark of ['"', "'"]) {
      expect(valueFor(`attr_a == ${quote(text, mark)}`, { attributes })).toBe(1)
      expect(valueFor(`name == ${quote(text, mark)}`, { name: text })).toBe(1)
      expect(valueFor(`attr_a == ${quote(`${text}x`, mark)}`, { attributes })).toBe(0)
      expect(valueFor(`len(${quote(text, mark)})`)).toBe([...text].length)
      expect(valueFor(`has(tags, ${quote(text, mark)})`, { tags: ["x", text] })).toBe(1)
    }
  })
})

describe("generated code", () => {
  const WORDS = new Set(
    (
      "const let if return typeof for switch case break function score values watch total weights lead now " +
      "helpers constants attributes list i " +
      "name value length get sum none Math abs round floor ceil log sqrt Array isArray undefined true false " +
      "beginWork isWorkOver contains equal folded has isEmpty lengthOf numberOf numberOfText truthOf number string"
    ).split(" "),
  )
  const TOKEN =
    /(?<name>[A-Za-z_]\w*)|(?<number>(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)|(?<text>"(?:number|string|)")|[-+*/%<>=!&|?:;,.(){}[\]\s]/y

  /** The first thing in the source that is not made up by us; undefined when there is none. */
  function foreign(source: string): string | undefined {
    TOKEN.lastIndex = 0
    while (TOKEN.lastIndex < source.length) {
      const at = TOKEN.lastIndex
      const match = TOKEN.exec(source)
      if (!match) return source.slice(at, at + 40)
      const name = match.groups!.name
      if (name === undefined || WORDS.has(name) || /^[acfgltvw]\d+$/.test(name) || FIELD_KINDS.has(name))
        continue
      return name
    }
    return undefined
  }

  const sourceOf = (text: string) => generate([{ root: checked(text).root, weight: -1.5 }]).source

  test("notices what is foreign", () => {
    expect(foreign('lead.rating; "x"')).toBe('"x"')
    expect(foreign("lead.rating; evil()")).toBe("evil")
    expect(foreign("`x`")).toBe("`x`")
  })

  test("has no word of the user in it", () => {
    for (const word of [...INHERITED, ...JAVASCRIPT, ...HOSTILE, "schlüssel"]) {
      const text = quote(word)
      const name = `attr_${word.replace(/[^\w]/g, "_")}`
      const source = sourceOf(
        `(${name} == ${text} && contains(${name}, ${text}) ? ${text} : has(tags, ${text})) + len(${text}) * -1e-7 % 1e21`,
      )
      expect(foreign(source)).toBeUndefined()
    }
  })

  test("has no word of the user in it, whatever the text and the name", () => {
    const name = fc.stringMatching(/^[\p{L}\p{Nd}_]{1,20}$/u)
    const text = anyText(30)
    fc.assert(
      fc.property(name, text, text, (name, a, b) => {
        const source = sourceOf(`attr_${name} == ${quote(a)} || contains(city, ${quote(b, "'")})`)
        expect(foreign(source)).toBeUndefined()
      }),
    )
  })

  test("knows nothing of the rule's id and name", () => {
    const rules = HOSTILE.map((text) => ({ id: text, name: text, expression: "rating", weight: 1 }))
    expect(
      compileRules(rules)
        .explain(LEAD, NOW)
        .map((rule) => rule.name),
    ).toEqual(HOSTILE)
  })
})
