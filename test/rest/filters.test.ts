import { describe, expect } from "bun:test"
import { openTestAccountForReading, openTestAppForReading, type TestAccount, test } from "../support/app.ts"
import { heldClock } from "../support/clock.ts"
import { LEAST, OPTIONAL_TEXTS } from "../support/lead.ts"
import { create, lettersOf } from "../support/lettered.ts"

const query = (filters: readonly string[]) =>
  filters.map((filter) => `filter=${encodeURIComponent(filter)}`).join("&")

/** The letters of the leads that filters find, in their order of creation. */
async function find({ call }: TestAccount, ...filters: string[]): Promise<string> {
  const { status, body } = await call("GET", `/leads?limit=1000&${query(filters)}`)
  if (status !== 200) throw new Error(`${filters.join(" ").slice(0, 200)}: ${body.message.slice(0, 500)}`)
  return lettersOf(body.leads)
}

type Cases = [filter: string, found: string][]

describe("filters on texts", () => {
  const values = { A: "alpha.one@x.de", B: "ALPHA.two@X.de", C: "beta@100%_y\\z.de" }
  const app = openTestAccountForReading((app) => {
    const filled = Object.entries(values).map(([letter, value]) => [
      letter,
      { name: value, ...Object.fromEntries(OPTIONAL_TEXTS.map((field) => [field, value])) },
    ])
    return create(app, { ...Object.fromEntries(filled), D: { name: "delta" } })
  })
  const cases: Cases = [
    ["eq.F.ALPHA.ONE@x.DE", "A"],
    ["eq.F.alpha", ""],
    ["neq.F.alpha.one@x.de", "BCD"],
    ["contains.F.A.T", "B"],
    ["not_contains.F.A.T", "ACD"],
    ["starts_with.F.Alpha.", "AB"],
    ["ends_with.F.x.DE", "AB"],
    ["in.F.beta@100%_y\\z.de, ALPHA.ONE@x.de,,nobody", "AC"],
    ["not_in.F.beta@100%_y\\z.de,ALPHA.ONE@x.de", "BD"],
    ["contains.F.%", "C"],
    ["contains.F._", "C"],
    ["contains.F.\\", "C"],
    ["eq.F.alpha_one@x.de", ""],
    ["eq.F.alpha%", ""],
    ["starts_with.F.%", ""],
    ["ends_with.F._y\\z.de", "C"],
    ["ends_with.F._z.de", ""],
    ["ends_with.F.and much longer than any of the values here", ""],
  ]
  test.each(["name", ...OPTIONAL_TEXTS])("%s: every operator, ignoring case", async (field) => {
    for (const [filter, found] of cases) {
      expect([filter, await find(app(), `and.${filter.replace("F", field)}`)]).toEqual([filter, found])
    }
  })

  test.each(OPTIONAL_TEXTS)("%s: empty or not", async (field) => {
    expect(await find(app(), `and.is_empty.${field}`)).toBe("D")
    expect(await find(app(), `and.is_not_empty.${field}`)).toBe("ABC")
    expect(await find(app(), `and.not_empty.${field}`)).toBe("ABC")
    expect(await find(app(), `and.is_empty.${field}.true`, `or.not_empty.${field}.`)).toBe("")
  })

  test.each(["name", "source", "status"])("%s is never empty", async (field) => {
    expect(await find(app(), `and.is_empty.${field}`)).toBe("")
    expect(await find(app(), `and.not_empty.${field}`)).toBe("ABCD")
  })

  test("source and status ignore case too", async () => {
    expect(await find(app(), "and.eq.source.a")).toBe("A")
    expect(await find(app(), "and.in.source.b,C")).toBe("BC")
    expect(await find(app(), 'and.in.source."b", "no, such" ,C')).toBe("BC")
    expect(await find(app(), "and.neq.source.b")).toBe("ACD")
    expect(await find(app(), "and.eq.status.NEW")).toBe("ABCD")
    expect(await find(app(), "and.eq.status.contacted")).toBe("")
    expect(await find(app(), "and.starts_with.status.n")).toBe("ABCD")
  })
})

describe("filters on texts of any script", () => {
  const app = openTestAccountForReading((app) =>
    create(app, {
      A: { name: "İstanbul" },
      B: { name: "ΟΔΟΣ ΑΕ" },
      C: { name: "ΟΔΟΣΑ" },
      D: { name: "Straße" },
      E: { name: "株式会社ライオン" },
      F: { name: "Go 🚀" },
      G: { name: "🚀 Go 👨‍👩‍👧" },
      H: { name: "caf\u00e9" },
      I: { name: "CAFE\u0301 2" },
      J: { name: "한국" },
      K: { name: "\u{10ffff}x" },
      L: { name: "\ud7ffx" },
      M: { name: "🚁" },
      N: { name: "\ue000x" },
    }),
  )
  const cases: Cases = [
    ["eq.name.İstanbul", "A"],
    ["eq.name.i\u0307STANBUL", "A"],
    ["contains.name.STANBUL", "A"],
    ["eq.name.Οδος αε", "B"],
    ["eq.name.οδοσ αε", "B"],
    ["starts_with.name.ΟΔΟΣ", "BC"],
    ["starts_with.name.οδος", "BC"],
    ["contains.name.δοσ", "BC"],
    ["in.name.οδοσα,οδος αε", "BC"],
    ["eq.name.STRAẞE", "D"],
    ["contains.name.RAß", "D"],
    ["contains.name.会社", "E"],
    ["ends_with.name.ライオン", "E"],
    ["starts_with.name.株", "E"],
    ["ends_with.name.🚀", "F"],
    ["starts_with.name.🚀", "G"],
    ["contains.name.🚀", "FG"],
    ["ends_with.name.👨‍👩‍👧", "G"],
    ["eq.name.cafe\u0301", "H"],
    ["eq.name.CAF\u00c9", "H"],
    ["starts_with.name.cafe\u0301", "HI"],
    ["ends_with.name.e\u0301", "H"],
    ["contains.name.\u00e9 2", "I"],
    ["eq.name.\u1112\u1161\u11ab\u1100\u116e\u11a8", "J"],
    ["starts_with.name.\u{10ffff}", "K"],
    ["starts_with.name.\ud7ff", "L"],
    ["eq.name.🚁", "M"],
  ]
  test.each(cases)("%s finds %s", async (filter, found) => {
    expect(await find(app(), `and.${filter}`)).toBe(found)
  })
})

describe("filters on numbers", () => {
  const numbers = ["rating", "review_count", "latitude", "longitude"]
  const all = (value: number) => Object.fromEntries(numbers.map((field) => [field, value]))
  const app = openTestAccountForReading(async (app) => {
    await app.call("POST", "/scoring-rules", { name: "r", expression: "rating", weight: 1 })
    await create(app, { A: all(0), B: all(2), C: all(10), D: {} })
  })
  const cases: Cases = [
    ["eq.F.2", "B"],
    ["eq.F. 2.0 ", "B"],
    ["eq.F.1e1", "C"],
    ["eq.F.2.5", ""],
    ["neq.F.2", "ACD"],
    ["gt.F.2", "C"],
    ["gt.F.1.99", "BC"],
    ["gte.F.2", "BC"],
    ["lt.F.2", "A"],
    ["lt.F.-.5", ""],
    ["lte.F.+2.", "AB"],
    ["between.F.0,2", "AB"],
    ["between.F. 2 , 2 ", "B"],
    ["between.F.2.1,9.9", ""],
    ["in.F.0,10,7", "AC"],
    ["not_in.F.0,10", "BD"],
    ["is_empty.F", "D"],
    ["is_not_empty.F", "ABC"],
    ["not_empty.F", "ABC"],
  ]
  test.each(numbers)("%s: every operator", async (field) => {
    for (const [filter, found] of cases) {
      expect([filter, await find(app(), `and.${filter.replace("F", field)}`)]).toEqual([filter, found])
    }
  })

  test("score: every operator; without rules that count it is 0, never empty", async () => {
    const scores: Cases = [
      ["eq.score.0", "AD"],
      ["eq.score.2", "B"],
      ["neq.score.0", "BC"],
      ["gt.score.2", "C"],
      ["gte.score.2", "BC"],
      ["lt.score.2", "AD"],
      ["lte.score.2", "ABD"],
      ["between.score.1,10", "BC"],
      ["in.score.2,10", "BC"],
      ["not_in.score.2,10", "AD"],
      ["is_empty.score", ""],
      ["is_not_empty.score", "ABCD"],
    ]
    for (const [filter, found] of scores) {
      expect([filter, await find(app(), `and.${filter}`)]).toEqual([filter, found])
    }
  })

  test("a whole number beyond 32 bits is compared exactly", async () => {
    const { call } = app()
    expect(await find(app(), "and.lt.review_count.9007199254740991")).toBe("ABC")
    expect((await call("GET", "/leads?filter=and.gt.created_at.4294967296")).body.count).toBe(0)
  })
})

describe("filters on times", () => {
  const clock = heldClock(Date.UTC(2026, 0, 1, 12))
  const day = 86_400_000
  const app = openTestAppForReading(
    async (app) => {
      for (const letter of "ABCD") {
        await create(app, { [letter]: {} })
        clock.advance(day)
      }
    },
    {},
    clock,
  )
  const second = Date.UTC(2026, 0, 2, 12) / 1000
  const cases: Cases = [
    [`eq.F.${second}`, "B"],
    ["eq.F.2026-01-02T12:00:00Z", "B"],
    ["eq.F.2026-01-02T12:00", "B"],
    ["eq.F.2026-01-02 12:00:00", "B"],
    ["eq.F.2026-01-02T13:30:00+01:30", "B"],
    ["eq.F.2026-01-02T13:30:00+0130", "B"],
    ["eq.F.2026-01-02T12:00:00.999Z", "B"],
    ["eq.F. 2026-01-02T12:00:00Z ", "B"],
    [`neq.F.${second}`, "ACD"],
    ["eq.F.2026-01-02", "B"],
    ["neq.F.2026-01-02", "ACD"],
    ["gt.F.2026-01-02", "CD"],
    ["gte.F.2026-01-02", "BCD"],
    [`gt.F.${second}`, "CD"],
    [`gte.F.${second}`, "BCD"],
    ["lt.F.2026-01-02", "A"],
    [`lte.F.${second}`, "AB"],
    ["lte.F.2026-01-02", "AB"],
    ["between.F.2026-01-02,2026-01-03", "BC"],
    ["between.F.2026-01-02,2026-01-02", "B"],
    [`in.F.2026-01-01,2026-01-03,${second}`, "ABC"],
    ["not_in.F.2026-01-01,2026-01-03", "BD"],
    [`between.F.${second},2026-01-03T12:00:00Z`, "BC"],
    [`in.F.${second},2026-01-04T12:00Z`, "BD"],
    [`not_in.F.${second},2026-01-04T12:00Z`, "AC"],
    ["is_empty.F", ""],
    ["is_not_empty.F", "ABCD"],
  ]
  const UNITS: [value: string, problem: string][] = [
    ["1767268800000", '"1767268800000" is in milliseconds or finer: give Unix seconds, such as 1767268800'],
    ["20260131", '"20260131" is a date without hyphens: write 2026-01-31, or Unix seconds'],
    ["2026-13-01", '"2026-13-01" is not a time: give Unix seconds or an ISO date, today, yesterday'],
  ]
  test.each(UNITS)("%s is refused with its unit", async (value, problem) => {
    for (const filter of [`and.gt.created_at.${value}`, `and.in.updated_at.1,${value}`]) {
      const { status, body } = await app().call("GET", `/leads?filter=${filter}`)
      expect([status, body.message]).toEqual([400, expect.stringContaining(problem)])
    }
    const { body } = await app().call("GET", `/changes?since=${value}`)
    expect(body.message).toStartWith("since ")
  })

  test("eight digits that are no date are Unix seconds", async () => {
    expect(await find(app(), "and.gt.created_at.20261331")).toBe("ABCD")
    expect(await find(app(), "and.lt.created_at.20261331")).toBe("")
  })

  test.each(["created_at", "updated_at", "last_interaction_at"])("%s: every operator", async (field) => {
    for (const [filter, found] of cases) {
      expect([filter, await find(app(), `and.${filter.replace("F", field)}`)]).toEqual([filter, found])
    }
  })
})

describe("filters on tags", () => {
  const app = openTestAccountForReading((app) =>
    create(app, {
      A: { tags: ["VIP", "Hot"] },
      B: { tags: ["hot"] },
      C: { tags: ["cold, dry", "50%_\\off", "ΣΟΦΟΣ", "vips"] },
      D: {},
    }),
  )
  const cases: Cases = [
    ["array_contains.tags.vip", "A"],
    ["array_contains.tags.HOT", "AB"],
    ["array_contains.tags. hot ", "AB"],
    ["array_contains.tags.cold, dry", "C"],
    ["array_contains.tags.50%_\\off", "C"],
    ["array_contains.tags.50%", ""],
    ["array_contains.tags.σοφος", "C"],
    ["array_contains.tags.ho", ""],
    ["array_not_contains.tags.hot", "CD"],
    ["array_contains_any.tags.VIP,50%_\\off", "AC"],
    ["array_contains_any.tags.nothing, hot,", "AB"],
    ["array_contains_any.tags.cold", ""],
    ["array_contains_all.tags.hot,vip", "A"],
    ["array_contains_all.tags.hot,HOT", "AB"],
    ["array_contains_all.tags.hot,cold", ""],
    ["array_empty.tags", "D"],
    ["array_not_empty.tags", "ABC"],
    ["contains.tags.hot", "AB"],
    ["not_contains.tags.hot", "CD"],
    ["is_empty.tags", "D"],
    ["is_not_empty.tags", "ABC"],
    ["not_empty.tags", "ABC"],
  ]
  test.each(cases)("%s finds %s", async (filter, found) => {
    expect(await find(app(), `and.${filter}`)).toBe(found)
  })

  test("takes hundreds of values", async () => {
    const many = Array.from({ length: 1_500 }, (_, i) => `t${i}`).join(",")
    expect(await find(app(), `and.array_contains_any.tags.${many},hot`)).toBe("AB")
    expect(await find(app(), `and.array_contains_all.tags.${many}`)).toBe("")
    expect(await find(app(), `or.array_contains_any.tags.${many}`, "or.contains.tags.vip")).toBe("A")
    expect(await find(app(), `and.array_contains_any.attr:list.${many}`)).toBe("")
    expect(await find(app(), `and.array_contains_all.attr:list.${many}`)).toBe("")
    expect(await find(app(), `and.in.source.${many},a,b`)).toBe("AB")
    expect(await find(app(), `and.in.attr:list.${many}`)).toBe("")
  })
})

describe("filters on the location", () => {
  const at = (latitude: number | null, longitude: number | null) => ({ latitude, longitude })
  const app = openTestAccountForReading((app) =>
    create(app, {
      A: at(52.52, 13.405), // Berlin
      B: at(52.3906, 13.0645), // Potsdam, 27 km from Berlin
      C: at(48.8566, 2.3522), // Paris, 877.5 km from Berlin
      D: at(0, 179.95),
      E: at(0, -179.95), // 11.1 km from D, across the 180th meridian
      F: at(90, 0),
      G: at(89.95, 180), // 5.6 km from F, across the pole
      H: at(10, null),
      I: at(null, 10),
      J: {},
      K: at(0, 180),
      L: at(0, -180),
      M: at(-90, 77),
    }),
  )
  const cases: Cases = [
    ["within_radius.location.52.52,13.405,30", "AB"],
    ["within_radius.location.52.52,13.405,26", "A"],
    ["within_radius.location.52.52,13.405,0", "A"],
    ["within_radius.location. 52.52 , 13.405 , 1 ", "A"],
    ["within_radius.location.52.52,13.405,877", "AB"],
    ["within_radius.location.52.52,13.405,878", "ABC"],
    ["within_radius.location.0,179.95,12", "DEKL"],
    ["within_radius.location.0,179.95,11", "DKL"],
    ["within_radius.location.0,-179.95,6", "EKL"],
    ["within_radius.location.0,-179.95,12", "DEKL"],
    ["within_radius.location.0,180,1", "KL"],
    ["within_radius.location.0,-180,1", "KL"],
    ["within_radius.location.90,0,6", "FG"],
    ["within_radius.location.90,-123,5", "F"],
    ["within_radius.location.89.95,0,12", "FG"],
    ["within_radius.location.-90,0,1", "M"],
    ["within_radius.location.0,0,20016", "ABCDEFGKLM"],
    ["within_radius.location.0,0,1e300", "ABCDEFGKLM"],
    ["is_set.location", "ABCDEFGKLM"],
    ["is_not_set.location", "HIJ"],
  ]
  test.each(cases)("%s finds %s", async (filter, found) => {
    expect(await find(app(), `and.${filter}`)).toBe(found)
  })

  test("combines with other filters", async () => {
    expect(
      await find(app(), "or.within_radius.location.52.52,13.405,30", "or.within_radius.location.90,0,1"),
    ).toBe("ABF")
    expect(await find(app(), "and.within_radius.location.52.52,13.405,30", "and.neq.source.a")).toBe("B")
  })
})

describe("filters on attributes", () => {
  const own = (type: string, value: unknown) => ({ attributes: [{ name: "x", type, value }] })
  const app = openTestAccountForReading((app) =>
    create(app, {
      A: own("number", 5),
      B: own("text", "Big"),
      C: own("bool", true),
      D: own("list", ["x", "Y", "5"]),
      E: own("object", { a: 5 }),
      F: own("text", ""),
      G: own("list", []),
      H: { attributes: [{ name: "X", type: "number", value: 5 }] },
      I: own("number", 7),
      J: own("text", "5"),
      K: own("text", "true"),
      L: own("bool", false),
      M: own("number", 0),
    }),
  )
  const cases: Cases = [
    ["eq.attr:x.5", "AJ"],
    ["eq.attr:x.5.0", "A"],
    ["eq.attr:X.5", "H"],
    ["neq.attr:x.5", "BCDEFGHIKLM"],
    ["gt.attr:x.5", "I"],
    ["gte.attr:x.5", "AI"],
    ["lt.attr:x.5", "M"],
    ["lte.attr:x.5", "AM"],
    ["between.attr:x.5,7", "AI"],
    ["in.attr:x.5,BIG,7", "ABIJ"],
    ["not_in.attr:x.5,big,7", "CDEFGHKLM"],
    ["eq.attr:x.BIG", "B"],
    ["contains.attr:x.i", "B"],
    ["contains.attr:x.y", "D"],
    ["not_contains.attr:x.y", "ABCEFGHIJKLM"],
    ["starts_with.attr:x.bI", "B"],
    ["ends_with.attr:x.G", "B"],
    ["eq.attr:x.true", "CK"],
    ["eq.attr:x.FALSE", "L"],
    ["neq.attr:x.true", "ABDEFGHIJLM"],
    ["neq.attr:x.false", "ABCDEFGHIJKM"],
    ["eq.attr:x.1", ""],
    ["eq.attr:x.0", "M"],
    ["array_contains.attr:x.X", "D"],
    ["array_not_contains.attr:x.x", "ABCEFGHIJKLM"],
    ["array_contains_any.attr:x.z,y", "D"],
    ["array_contains_all.attr:x.x,y", "D"],
    ["array_contains_all.attr:x.x,z", ""],
    ["array_empty.attr:x", "FGH"],
    ["array_not_empty.attr:x", "ABCDEIJKLM"],
    ["is_empty.attr:x", "FGH"],
    ["is_not_empty.attr:x", "ABCDEIJKLM"],
    ["not_empty.attr:x", "ABCDEIJKLM"],
    ["is_empty.attr:nobody", "ABCDEFGHIJKLM"],
  ]
  test.each(cases)("%s finds %s", async (filter, found) => {
    expect(await find(app(), `and.${filter}`)).toBe(found)
  })
})

test("an attribute that lists nothing but an empty text is not empty", async (app) => {
  const list = (value: string[]) => ({ attributes: [{ name: "x", type: "list", value }] })
  await create(app, { A: list([""]), B: list([]), C: list(["", "x"]) })
  expect(await find(app, "and.is_empty.attr:x")).toBe("B")
  expect(await find(app, "and.array_not_empty.attr:x")).toBe("AC")
})

describe("filter syntax", () => {
  const own = (name: string, value: unknown) => ({ attributes: [{ name, type: "text", value }] })
  const app = openTestAccountForReading((app) =>
    create(app, {
      A: own("net.revenue", "5"),
      B: own('say "hi".', "a"),
      C: own("a b:c,d&e=f+g%", "x.y.z"),
      D: own("größe", "and.eq.city.x"),
      E: { city: '"St. Gallen", CH', website: "https://a.b/c?d=e&f=g#h" },
      F: { city: "a  b", website: "line1\nline2.end" },
      G: own('"q', "quoted"),
    }),
  )
  const cases: Cases = [
    ['and.eq.attr:"net.revenue".5', "A"],
    ['and.not_empty.attr:"net.revenue"', "A"],
    ['and.not_empty.attr:"net.revenue".', "A"],
    ['and.eq.attr:"say ""hi"".".A', "B"],
    ["and.eq.attr:a b:c,d&e=f+g%.x.y.z", "C"],
    ['and.eq.attr:"a b:c,d&e=f+g%".X.Y.Z', "C"],
    ["and.eq.attr:größe.and.eq.city.x", "D"],
    ["and.eq.attr:gro\u0308ße.and.eq.city.x", ""],
    ['and.eq.attr:"""q".quoted', "G"],
    ['and.eq.city."st. gallen", ch', "E"],
    ['and.starts_with.city."', "E"],
    ['and.eq."city".a  b', "F"],
    ["and.contains.city.  ", "F"],
    ["and.eq.website.https://a.b/c?d=e&f=g#h", "E"],
    ["and.contains.website.\n", "F"],
    ["and.ends_with.website..end", "F"],
  ]
  test.each(cases)("%s finds %s", async (filter, found) => {
    expect(await find(app(), filter)).toBe(found)
  })

  test("a plus sign in a query string is a space, %2B a plus", async () => {
    const { call } = app()
    const count = async (path: string) => (await call("GET", path)).body.count
    expect(await count("/leads?filter=and.eq.attr:a+b:c,d%26e%3Df%2Bg%25.x.y.z")).toBe(1)
    expect(await count("/leads?filter=and.eq.attr:a%20b:c,d%26e%3Df%2Bg%25.x.y.z")).toBe(1)
  })

  const fields = ["name", "tags", "location", "review_count", "attr:<name>"]
  const bad: [filter: string, says: string[]][] = [
    ["", ["logic.operator.field.value"]],
    ["city", ["logic.operator.field.value"]],
    ["and.eq", ["logic.operator.field.value"]],
    ["eq.city.Berlin", ['"eq"', "logic.operator.field.value"]],
    ["AND.eq.city.Berlin", ['"AND"', "and or or"]],
    ["not.eq.city.Berlin", ['"not"', "and or or"]],
    ["and.eq.town.Berlin", ['"town"', ...fields]],
    ["and.eq.citty.Berlin", ['Did you mean "city"?', ...fields]],
    ["and.eq.City.Berlin", ['"City"', ...fields]],
    ["and.eq..Berlin", [...fields]],
    ["and.eq.id.x", ["such as cl_"]],
    ["and.eq.constructor.x", ['"constructor"', ...fields]],
    ["and.EQ.city.x", ['"EQ"', "eq, neq, contains"]],
    ["and.like.city.x", ['"like"', "eq, neq, contains, not_contains, starts_with, ends_with, in, not_in"]],
    ["and.gt.city.x", ['"gt"', "eq, neq, contains"]],
    ["and.toString.city.x", ['"toString"', "eq, neq, contains"]],
    ["and..city.x", ["eq, neq, contains"]],
    ["and.contains.rating.4", ['"contains"', "eq, neq, gt, gte, lt, lte, between, in, not_in"]],
    ["and.starts_with.created_at.2026", ['"starts_with"', "between"]],
    ["and.eq.tags.vip", ['"eq"', "array_contains, array_not_contains, array_contains_any"]],
    ["and.eq.location.1,2", ['"eq"', "within_radius, is_set, is_not_set"]],
    ["and.is_empty.location", ["within_radius, is_set, is_not_set"]],
    ["and.within_radius.city.1,2,3", ['"within_radius"', "eq, neq, contains"]],
    ["and.within_radius.attr:x.1,2,3", ['"within_radius"', "array_contains"]],
    ["and.eq.city", ["needs a value", "is_empty"]],
    ["and.eq.city.", ["needs a value", "is_empty"]],
    ["and.in.city. , ,", ["list of values is empty"]],
    ["and.is_empty.city.Berlin", ["takes no value"]],
    ["and.is_not_set.location.5", ["takes no value"]],
    ["and.gt.rating.four", ['"four" is not a number']],
    ["and.gt.rating.0x10", ['"0x10" is not a number']],
    ["and.gt.rating.1e999", ['"1e999" is not a number']],
    ["and.gt.rating.NaN", ['"NaN" is not a number']],
    ["and.eq.rating.1,2", ["is not a number"]],
    ["and.in.rating.1,x", ['"x" is not a number']],
    ["and.between.rating.1", ["low,high"]],
    ["and.between.rating.1,2,3", ["low,high"]],
    ["and.between.rating.2,1", ["low,high"]],
    ["and.between.score.a,b", ["is not a number"]],
    ["and.gt.created_at.soon", ["is not a time", "ISO date"]],
    ["and.gt.created_at.2026-13-01", ["is not a time"]],
    ["and.gt.created_at.2026-02-30", ["is not a time"]],
    ["and.gt.created_at.2026-01-01T25:00", ["is not a time"]],
    ["and.within_radius.location.52.5,13.4", ["lat,lng,km"]],
    ["and.within_radius.location.52.5,13.4,5,6", ["lat,lng,km"]],
    ["and.within_radius.location.a,b,c", ["lat,lng,km"]],
    ["and.within_radius.location.91,13.4,5", ["latitude", "-90 to 90"]],
    ["and.within_radius.location.52.5,181,5", ["longitude", "-180 to 180"]],
    ["and.within_radius.location.52.5,13.4,-1", ["radius", "negative"]],
    ["and.eq.attr:.5", ["attr:<name>"]],
    ['and.eq.attr:"".5', ["attr:<name>"]],
    ["and.gt.attr:x.high", ["is not a number"]],
    ['and.eq.attr:"net.revenue.5', ["quote"]],
    ['and.eq.attr:"net"revenue.5', ["quote"]],
    ['and.eq."city.5', ["quote"]],
  ]
  test.each(bad)("refuses %s", async (filter, says) => {
    const { call } = app()
    const { status, body } = await call("GET", `/leads?${query(["and.not_empty.name", filter])}`)
    expect(status).toBe(400)
    expect(body).toMatchObject({ error: "Bad Request", code: "bad_request" })
    expect(body.message).toStartWith(`filter "${filter}": `)
    for (const part of says) expect(body.message).toContain(part)
  })

  test("takes 50 filters and refuses 51", async () => {
    const { call } = app()
    const filters = (count: number) => query(Array(count).fill("and.not_empty.name"))
    expect((await call("GET", `/leads?${filters(50)}`)).status).toBe(200)
    const { status, body } = await call("GET", `/leads?${filters(51)}`)
    expect(status).toBe(400)
    expect(body.message).toContain("at most 50 filters")
  })

  test("50 different filters at once are answered", async () => {
    const places = Array.from({ length: 50 }, (_, i) => `or.within_radius.location.${i},179.99,900`)
    expect(await find(app(), ...places)).toBe("")
    const attributes = Array.from({ length: 50 }, (_, i) => `or.in.attr:a${i}.true,1,x`)
    expect(await find(app(), ...attributes)).toBe("")
    expect(await find(app(), ...attributes.map((filter) => filter.replace("or.in", "and.not_in")))).toBe(
      "ABCDEFG",
    )
  })

  test("a filter that is not UTF-8 finds nothing, one with NUL is refused", async () => {
    const { call } = app()
    const statuses = { "%FF": 200, "%ED%A0%80": 200, "%00": 400, "a%00b": 400 }
    for (const [value, wanted] of Object.entries(statuses)) {
      for (const operator of ["eq", "contains", "starts_with", "ends_with", "in"]) {
        const { status, body } = await call("GET", `/leads?filter=and.${operator}.city.${value}`)
        expect([value, operator, status, body.count ?? 0]).toEqual([value, operator, wanted, 0])
      }
    }
  })
})

describe("several filters", () => {
  const app = openTestAccountForReading((app) =>
    create(app, {
      A: { city: "Berlin", rating: 5, tags: ["x"] },
      B: { city: "Berlin", rating: 3 },
      C: { city: "Ulm", rating: 5 },
      D: { city: "Ulm", rating: 1, tags: ["x"] },
      E: {},
    }),
  )
  const cases: [string, string[], string][] = [
    ["no filter: everything", [], "ABCDE"],
    ["and: all must hold", ["and.eq.city.Berlin", "and.gte.rating.4"], "A"],
    ["and that contradict: nothing", ["and.eq.city.Berlin", "and.eq.city.Ulm"], ""],
    ["one or alone must hold", ["or.eq.city.Ulm"], "CD"],
    ["or: at least one must hold", ["or.eq.city.Ulm", "or.gte.rating.4"], "ACD"],
    ["and with one or: both must hold", ["and.eq.city.Berlin", "or.gte.rating.4"], "A"],
    ["and with two or", ["or.eq.rating.5", "and.eq.city.Ulm", "or.contains.tags.x"], "CD"],
    [
      "two and with two or",
      ["and.not_empty.city", "and.neq.city.Ulm", "or.eq.rating.3", "or.eq.rating.1"],
      "B",
    ],
    ["or over what is empty", ["or.is_empty.city", "or.eq.rating.3"], "BE"],
    ["or that holds nowhere", ["and.eq.city.Berlin", "or.eq.city.Nowhere"], ""],
    ["the same one twice", ["and.eq.city.Ulm", "and.eq.city.Ulm", "or.lt.rating.2", "or.lt.rating.2"], "D"],
    ["negations", ["and.neq.city.Ulm", "and.not_contains.tags.x", "and.not_in.rating.5"], "BE"],
  ]
  test.each(cases)("%s", async (_, filters, found) => {
    expect(await find(app(), ...filters)).toBe(found)
  })

  test("the order of the filters does not matter", async () => {
    const filters = ["or.eq.rating.5", "and.eq.city.Ulm", "or.contains.tags.x"]
    expect(await find(app(), ...filters.toReversed())).toBe("CD")
  })
})

test("same finds a source_id exactly, and bulk work by it touches no other", async (app) => {
  await create(app, { A: { source_id: "AbC1" }, B: { source_id: "abc1" }, C: { source_id: "AbC" }, D: {} })
  expect(await find(app, "and.eq.source_id.AbC1")).toBe("AB")
  const cases: Cases = [
    ["and.same.source_id.AbC1", "A"],
    ["and.same.source_id.abc1", "B"],
    ["and.same.source_id.ABC1", ""],
    ["and.same.source_id.Ab", ""],
  ]
  for (const [filter, found] of cases) expect([filter, await find(app, filter)]).toEqual([filter, found])
  expect(await find(app, "and.same.source_id.AbC1", "and.eq.source.B")).toBe("")
  expect(await find(app, "or.same.source_id.AbC1", "or.eq.source.D")).toBe("AD")
  const taken = await app.call("POST", "/leads", { ...LEAST, email: "a@b.example", source_id: "new" })
  const conflict = await app.call("PUT", `/leads/${taken.body.id}`, { source_id: "AbC1" })
  expect(conflict.body.message).toContain("filter=and.same.source_id.<value>")
  const { body } = await app.call("POST", "/leads/bulk", {
    action: "delete",
    filter: ["and.same.source_id.AbC1"],
    expect: 1,
  })
  expect(body).toMatchObject({ matched: 1, success: 1 })
  expect(await find(app, "and.eq.source_id.AbC1")).toBe("B")
})

test("filters follow a lead's changes", async ({ call }) => {
  const { id } = (await call("POST", "/leads", { ...LEAST, city: "Bonn" })).body
  const count = async (filter: string) => (await call("GET", `/leads?filter=${filter}`)).body.count
  expect(await count("and.eq.city.bonn")).toBe(1)
  await call("PUT", `/leads/${id}`, { city: "Trier", tags: ["t"], latitude: 1, longitude: 1, rating: 99 })
  expect(await count("and.eq.city.bonn")).toBe(0)
  for (const filter of ["eq.city.trier", "contains.tags.t", "within_radius.location.1,1,1", "eq.rating.99"]) {
    expect(await count(`and.${filter}`)).toBe(1)
  }
  await call("PUT", `/leads/${id}`, { city: null, tags: [], latitude: null, rating: null })
  for (const filter of ["eq.city.trier", "contains.tags.t", "within_radius.location.1,1,1", "eq.rating.99"]) {
    expect(await count(`and.${filter}`)).toBe(0)
  }
})

describe("a single filter", () => {
  const app = openTestAccountForReading((app) => create(app, { A: { city: "Ulm" }, B: { city: "Bonn" } }))
  const filter = "and.eq.city.Ulm"
  test.each([
    ["/segments", { name: "Ulm", filter }, { filter: [filter], count: 1 }],
    ["/leads/bulk", { filter, action: "score", dry_run: true }, { matched: 1 }],
    ["/duplicates/merge", { filter, min_probability: 0.9, dry_run: true }, { matched: 0 }],
  ])("in the body of POST %s needs no list around it", async (path, body, answer) => {
    expect((await app().call("POST", path, body)).body).toMatchObject(answer)
  })

  test("that is no text is refused with what would be right", async () => {
    const { status, body } = await app().call("POST", "/segments", { name: "Ulm", filter: 3 })
    expect([status, body.message]).toEqual([400, "filter must be a list of filters"])
  })
})

test("the items of a list may be named filter[]", async ({ call }) => {
  for (const city of ["Bonn", "Ulm"]) await call("POST", "/leads", { ...LEAST, city })
  const list = async (text: string) =>
    (await call("GET", `/leads?${text}`, undefined, { "X-List-Style": "object" })).body
  expect((await list("filter[]=and.eq.city.Bonn")).count).toBe(1)
  expect((await list("filter[]=and.eq.city.Bonn&filter=and.eq.city.Ulm")).count).toBe(0)
  expect((await call("GET", "/leads?limit[]=1")).status).toBe(400)
})
