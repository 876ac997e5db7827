// Leads that are hard to find rightly: many scripts, letters whose case is odd, numbers at their ends, empty things.

import type { ModelAttribute, ModelInput } from "../../../test/support/model.ts"
import type { Random } from "../../seed/random.ts"

export const TEXTS = [
  ...[
    "Straße",
    "STRASSE",
    "STRAẞE",
    "strasse",
    "İstanbul",
    "istanbul",
    "ISTANBUL",
    "ıstanbul",
    "I\u0307stanbul",
  ],
  ...[
    "ΟΔΟΣ",
    "οδος",
    "οδοσ",
    "Σ",
    "ς",
    "Ὀδυσσεύς",
    "Köln",
    "KÖLN",
    "Ko\u0308ln",
    "koln",
    "ﬁn",
    "FIN",
    "ǅ",
    "ǆ",
  ],
  ...[
    "東京",
    "東京都港区",
    "ガラス",
    "カ\u3099ラス",
    "한국",
    "\u1112\u1161\u11ab국",
    "Москва",
    "МОСКВА",
    "ЖЁЛТЫЙ",
  ],
  ...[
    "القاهرة",
    "ירושלים",
    "हिन्दी",
    "ภาษาไทย",
    "🚀",
    "🚀🚀 Mond",
    "👨‍👩‍👧 Familie",
    "é",
    "e\u0301",
    "E\u0301",
    "𐐀𐐁",
    "𐐨𐐩",
  ],
  ...[
    "50% _\\",
    "100%",
    "a.b",
    "a,b",
    "a, b",
    "and.eq.city.x",
    '"q"',
    "'; DROP TABLE leads;--",
    "\u0001ctl",
    "\ufffd",
  ],
  ...[
    "\u{10ffff}",
    "\u{10fffe}a",
    "\uffff",
    "\ud7ff",
    "\ue000",
    "null",
    "true",
    "false",
    "0",
    "1e3",
    "-1",
    "NaN",
  ],
  ...["new", "x  y", "tab\there", "line\nbreak", "*", "?", "(", "[a-z]", "NEAR(a b)", "a OR b", "-a", "a*"],
  ...["Anna Weber", "anna weber", "Anna Webers", "anna@weber.example", "A", "AB", "ABC", "abcd"],
  ...[
    `${"y".repeat(199)}a`,
    `${"y".repeat(199)}B`,
    `${"y".repeat(250)}🚀`,
    `${"y".repeat(299)}🚀z`,
    `${"y".repeat(299)}🚁`,
  ],
]

export const NUMBERS = [
  ...[0, 1, -1, 2, 2.5, 10, 50, 99.99, 100, 0.1, 0.2, 0.30000000000000004, 1e-7, 1e21, 123456789.12345679],
  ...[
    2 ** 31,
    2 ** 53 - 1,
    2 ** 53,
    2 ** 63,
    -(2 ** 63),
    1e300,
    Number.MAX_VALUE,
    -Number.MAX_VALUE,
    5e-324,
    2.2250738585072014e-308,
  ],
]
const COUNTS = [0, 1, 2, 7, 2 ** 31, 2 ** 53 - 1]
const LATITUDES = [0, 52.52, 52.5200001, -33.9, 90, -90, 89.9999, 1e-9, 48.85]
const LONGITUDES = [0, 13.405, 13.4050001, 180, -180, 179.99999, -179.99999, 1e-9, 2.35]

export const TAGS = [
  "VIP",
  "vip ",
  "hot",
  "HOT",
  "a,b",
  "a",
  "b",
  "Straße",
  "ΟΔΟΣ",
  "İ",
  "東京",
  "🚀",
  "x.y",
  "true",
  "1",
  "-",
]
export const ATTRIBUTE_NAMES = [
  "size",
  "net.revenue",
  'a"b',
  '"',
  '"q"',
  "ключ",
  "attr:x",
  "x y",
  "__proto__",
  "constructor",
]

/** A lead that repeats no other one by email or source_id. */
export function trickyLead(random: Random, nth: number): ModelInput {
  const text = () => (random.chance(0.3) ? null : random.pick(TEXTS))
  const number = (of: readonly number[]) => (random.chance(0.25) ? null : random.pick(of))
  return {
    name: random.pick(TEXTS),
    source: random.pick(["web", "WEB", "Messe", "ΣΑΣ"]),
    email: random.chance(0.3) ? null : `${nth}@${random.pick(["X.example", "straße.example", "İ.example"])}`,
    source_id: random.chance(0.3) ? null : `${random.pick(["S", "s", "ß", "İ"])}-${nth}`,
    phone: random.chance(0.5) ? null : random.pick(["030 1", "+49 30 22", "0049 30-22", "()", "ext. 5"]),
    website: text(),
    address: text(),
    city: text(),
    state: text(),
    country: text(),
    postal_code: text(),
    category: text(),
    logo_url: text(),
    description: random.chance(0.5)
      ? null
      : `${text() ?? ""}${random.pick(["", " ", "\n"])}${random.pick(TEXTS)}`,
    status: random.pick(["new", "contacted", "qualified", "disqualified", "converted"]),
    rating: number(NUMBERS),
    review_count: number(COUNTS),
    latitude: number(LATITUDES),
    longitude: number(LONGITUDES),
    tags: some(random, TAGS, 4),
    attributes: some(random, ATTRIBUTE_NAMES, 4).map((name) => ({ name, ...trickyValue(random) })),
  }
}

function trickyValue(random: Random): Omit<ModelAttribute, "name"> {
  const kind = random.below(6)
  if (kind === 0) return { type: "number", value: random.pick(NUMBERS) }
  if (kind === 1) return { type: "bool", value: random.chance(0.5) }
  if (kind === 2) return { type: "list", value: some(random, [...TAGS, "", "  "], 4) }
  if (kind === 3) return { type: "object", value: random.pick([{}, { size: 5 }, { a: { b: ["x"] } }]) }
  return { type: "text", value: random.pick([...TEXTS, "", " ", "0", "1", "2.5", "true", "False"]) }
}

function some<T>(random: Random, items: readonly T[], most: number): T[] {
  return [...new Set(Array.from({ length: random.below(most + 1) }, () => random.pick(items)))]
}
