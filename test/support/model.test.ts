import { describe, expect, test } from "bun:test"
import { haversine, parseFilter } from "./model/filter.ts"
import { compareBytes, levenshtein, phoneKey, similarity } from "./model/text.ts"
import { type Criterion, createModel, type ModelInput, type PushResult } from "./model.ts"

const anna: ModelInput = {
  name: "Anna Müller Bau",
  source: "webform",
  email: "Anna@Example.com",
  source_id: "S-1",
  phone: "+49 30 1234567",
  city: "Köln",
}

describe("deduplication", () => {
  const pushes: [string, ModelInput, PushResult["kind"], Criterion?][] = [
    ["email ignoring case", { name: "X", source: "s", email: "ANNA@example.COM" }, "merged", "email"],
    ["source_id exactly", { name: "X", source: "s", source_id: "S-1" }, "merged", "source_id"],
    ["not source_id in other case", { name: "X", source: "s", source_id: "s-1" }, "created"],
    [
      "phone and two slips",
      { name: "anna mueler bau", source: "s", phone: "49.30.1234567" },
      "merged",
      "phone",
    ],
    [
      "phone and one slip",
      { name: "Ana Müller Bau", source: "s", phone: "0049 (30) 12-34567" },
      "merged",
      "phone",
    ],
    ["not phone and another name", { name: "Berta Koch", source: "s", phone: "+49301234567" }, "created"],
    ["name and city as potential", { name: " anna MÜLLER bau ", source: "s", city: "KÖLN" }, "potential"],
    ["not name without a city", { name: "Anna Müller Bau", source: "s" }, "created"],
    [
      "email before source_id",
      { name: "X", source: "s", email: "anna@example.com", source_id: "S-9" },
      "merged",
      "email",
    ],
  ]
  for (const [what, lead, kind, criterion] of pushes) {
    test(`takes ${what}`, () => {
      const model = createModel()
      const first = model.push(anna, 100)
      const result = model.push(lead, 200)
      expect(result.kind).toBe(kind)
      expect(result.criterion).toBe(criterion)
      expect(result.status).toBe(kind === "merged" ? 200 : 201)
      expect(result.lead.id === first.lead.id).toBe(kind === "merged")
      expect(result.potential_duplicate_id).toBe(kind === "potential" ? first.lead.id : undefined)
    })
  }

  test("a similarity of exactly 0.8 does not merge", () => {
    const model = createModel()
    model.push({ name: "abcde", source: "s", phone: "1" }, 1)
    expect(model.push({ name: "abcdX", source: "s", phone: "1" }, 2).kind).toBe("created")
    expect(model.push({ name: "abcdef", source: "s", phone: "1" }, 3).lead.id).toEndWith("1")
  })

  test("the most similar candidate wins, then the oldest", () => {
    const model = createModel()
    const far = model.push({ name: "abcdefghij", source: "s", phone: "1" }, 1)
    model.update(model.push({ name: "other", source: "s", phone: "1" }, 2).lead.id, { name: "abcdefghiX" }, 3)
    const third = model.push({ name: "another one", source: "s", phone: "1" }, 2)
    model.update(third.lead.id, { name: "abcdefghiX" }, 3)
    expect(model.push({ name: "abcdefghiX", source: "s", phone: "1" }, 4).lead.id).toEndWith("2")
    expect(model.push({ name: "abcdefghij", source: "s", phone: "1" }, 5).lead.id).toBe(far.lead.id)
  })

  test("a merge that would take another lead's source_id is a conflict and changes nothing", () => {
    const model = createModel()
    const first = model.push(anna, 1)
    model.push({ name: "B", source: "s", source_id: "S-2" }, 2)
    const result = model.push({ name: "C", source: "s", email: "anna@example.com", source_id: "S-2" }, 3)
    expect(result).toMatchObject({ status: 409, kind: "conflict", criterion: "email" })
    expect(model.get(first.lead.id)).toEqual(first.lead)
  })
})

describe("merge", () => {
  test("what is said overwrites, what is empty does not", () => {
    const model = createModel()
    model.push({ ...anna, tags: ["a"], status: "qualified", rating: 4 }, 100)
    const { lead } = model.push({ ...anna, city: "", tags: [], rating: 0, phone: null }, 200)
    expect(lead).toMatchObject({
      city: "Köln",
      tags: ["a"],
      rating: 0,
      phone: anna.phone,
      status: "qualified",
    })
    expect(lead).toMatchObject({ created_at: 100, updated_at: 200, last_interaction_at: 200 })
  })

  test("without a change only last_interaction_at moves", () => {
    const model = createModel()
    model.push(anna, 100)
    expect(model.push(anna, 200).lead).toMatchObject({ updated_at: 100, last_interaction_at: 200 })
  })

  test("attributes are upserted by name", () => {
    const model = createModel()
    const size = { name: "size", type: "number", value: 5 } as const
    const kind = { name: "kind", type: "text", value: "x" } as const
    model.push({ ...anna, attributes: [size, kind] }, 1)
    const { lead } = model.push({ ...anna, attributes: [{ name: "size", type: "text", value: "big" }] }, 2)
    expect(lead.attributes).toEqual([{ name: "size", type: "text", value: "big" }, kind])
  })
})

describe("update and remove", () => {
  test("null clears, an equal value moves nothing, a foreign email conflicts", () => {
    const model = createModel()
    const { id } = model.push(anna, 1).lead
    const other = model.push({ name: "B", source: "s", email: "b@example.com" }, 1).lead.id
    expect(model.update(id, { city: "Köln" }, 5).lead).toMatchObject({ updated_at: 1 })
    expect(model.update(id, { city: null, phone: "" }, 6).lead).toMatchObject({
      city: null,
      phone: null,
      updated_at: 6,
    })
    expect(model.update(other, { email: "ANNA@example.com" }, 7).status).toBe(409)
    expect(model.update(id, { name: "" }, 8).status).toBe(400)
    expect(model.remove(id)).toBe(true)
    expect(model.remove(id)).toBe(false)
    expect(model.update(id, { name: "x" }, 9).status).toBe(404)
    expect(model.push(anna, 10).kind).toBe("created")
  })
})

/** Five leads named A to E, for filters and sorting. */
function sample() {
  const model = createModel()
  const push = (name: string, more: Partial<ModelInput>) => model.push({ name, source: "s", ...more }, 1_000)
  const number = (value: number) => ({ name: "net.size", type: "number", value }) as const
  push("A", { city: "Berlin", rating: 4.5, tags: ["VIP", "hot"], attributes: [number(5)] })
  push("B", {
    city: "berlin",
    rating: 3,
    tags: ["hot"],
    attributes: [number(7)],
    latitude: 52.52,
    longitude: 13.4,
  })
  push("C", { city: "Zürich", attributes: [{ name: "net.size", type: "text", value: "Big" }] })
  push("D", { rating: 4.5, attributes: [{ name: "net.size", type: "bool", value: true }] })
  push("E", {
    city: "St. Gallen",
    website: "e.ch",
    attributes: [{ name: "net.size", type: "list", value: ["x"] }],
  })
  return model
}
const names = (leads: { name: string }[]) => leads.map(({ name }) => name).join("")

describe("filters", () => {
  const cases: [string[], string][] = [
    [["and.eq.city.BERLIN"], "AB"],
    [["and.neq.city.berlin"], "CDE"],
    [["and.eq.city.st. gallen"], "E"],
    [["and.contains.city.ER"], "AB"],
    [["and.not_contains.city.er"], "CDE"],
    [["and.starts_with.city.zü"], "C"],
    [["and.ends_with.website..CH"], "E"],
    [["and.in.city.berlin,zürich"], "ABC"],
    [["and.not_in.city.berlin,zürich"], "DE"],
    [["and.is_empty.city"], "D"],
    [["and.is_not_empty.city."], "ABCE"],
    [["and.gte.rating.4.5"], "AD"],
    [["and.between.rating.2,4"], "B"],
    [["and.neq.rating.4.5"], "BCE"],
    [["and.not_in.rating.3,4.5"], "CE"],
    [["and.is_empty.rating"], "CE"],
    [["and.eq.created_at.1970-01-01T00:16:40Z"], "ABCDE"],
    [["and.gt.created_at.1970-01-02"], ""],
    [["and.eq.status.NEW"], "ABCDE"],
    [["and.array_contains.tags.vip"], "A"],
    [["and.array_not_contains.tags.hot"], "CDE"],
    [["and.array_contains_any.tags.vip,hot"], "AB"],
    [["and.array_contains_all.tags.hot,vip"], "A"],
    [["and.array_empty.tags"], "CDE"],
    [["and.within_radius.location.52.5,13.4,3"], "B"],
    [["and.is_not_set.location"], "ACDE"],
    [['and.gt.attr:"net.size".5'], "B"],
    [['and.neq.attr:"net.size".5'], "BCDE"],
    [['and.eq.attr:"net.size".big'], "C"],
    [['and.eq.attr:"net.size".true'], "D"],
    [['and.array_contains.attr:"net.size".X'], "E"],
    [["and.is_empty.attr:other"], "ABCDE"],
    [["or.eq.city.berlin", "or.gte.rating.4"], "ABD"],
    [["and.eq.city.berlin", "or.gte.rating.4", "or.eq.name.E"], "A"],
  ]
  for (const [filter, expected] of cases) {
    test(filter.join(" "), () => expect(names(sample().list({ filter }))).toBe(expected))
  }

  test("unknown fields, operators and values are refused", () => {
    for (const bad of [
      "eq.city.x",
      "and.eq.nope.x",
      "and.gt.city.x",
      "and.like.city.x",
      "and.gt.rating.x",
      "xor.eq.city.x",
    ]) {
      expect(() => parseFilter(bad)).toThrow()
    }
  })
})

describe("sorting", () => {
  const cases: [string, string, string][] = [
    ["created_at", "ABCDE", "EDCBA"],
    ["rating", "BADCE", "DABEC"],
    ["city", "ABECD", "CEBAD"],
    ["attr:net.size", "DABCE", "BADCE"],
    ["attr:other", "ABCDE", "EDCBA"],
  ]
  for (const [sort_by, ascending, descending] of cases) {
    test(`by ${sort_by}`, () => {
      expect(names(sample().list({ sort_by }))).toBe(ascending)
      expect(names(sample().list({ sort_by, sort_order: "DESC" }))).toBe(descending)
    })
  }

  test("tags cannot be sorted by", () => expect(() => sample().list({ sort_by: "tags" })).toThrow())
  test("texts stand in the order of their code points", () => {
    expect(compareBytes("\u{1f600}", "\uff5e")).toBeGreaterThan(0)
    expect(compareBytes("z", "ä")).toBeLessThan(0)
  })
})

describe("measures", () => {
  test("levenshtein", () => {
    expect(levenshtein("kitten", "sitting")).toBe(3)
    expect(levenshtein("", "abc")).toBe(3)
    expect(similarity(" ÄRZTE ", "ärzte")).toBe(1)
  })
  test("phones", () => {
    expect(phoneKey("+49 (30) 12-34")).toBe(phoneKey("0049 30.1234"))
    expect(phoneKey("030 1234")).toBe("0301234")
    expect(phoneKey("1-800-FLOWERS")).toBe("1800FLOWERS")
    expect(phoneKey(" - ")).toBe("")
  })
  test("haversine", () => {
    expect(haversine(52.52, 13.405, 48.8566, 2.3522)).toBeCloseTo(877.46, 1)
    expect(haversine(0, 179.5, 0, -179.5)).toBeCloseTo(111.19, 1)
  })
})
