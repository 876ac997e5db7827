import { LANGUAGES, type LanguageCode } from "./languages.ts"
import { type Random, zipf } from "./random.ts"
import { CATEGORIES, type Category, type Words } from "./words.ts"

interface Word {
  text: string
  /** The word in a-z and hyphens, for addresses. */
  latin: string
}

export interface Language {
  given: Word[]
  family: Word[]
  trades: Partial<Record<Category, Word[]>>
  streets: Word[]
  mailbox: Word[]
  gap: string
  pickCategory(random: Random): Category
}

/** A business as it calls itself. */
export interface Business {
  name: string
  category: Category
  /** What its web address is made of, in a-z and hyphens. */
  latin: string
  /** The owner's given and family name in a-z. */
  person: string
}

// How letters outside a-z are spelled in addresses; what is missing here loses its accent.
const LETTERS = new Map(
  `ä=ae ö=oe ü=ue ß=ss æ=ae ø=oe å=a ł=l ı=i đ=d
   α=a β=v γ=g δ=d ε=e ζ=z η=i θ=th ι=i κ=k λ=l μ=m ν=n ξ=x ο=o π=p ρ=r σ=s ς=s τ=t υ=y φ=f χ=ch ψ=ps ω=o
   ά=a έ=e ή=i ί=i ό=o ύ=y ώ=o
   а=a б=b в=v г=h ґ=g д=d е=e є=ye ж=zh з=z и=y і=i ї=yi й=y к=k л=l м=m н=n о=o п=p р=r с=s т=t у=u ф=f
   х=kh ц=ts ч=ch ш=sh щ=shch ъ=a ь= ю=yu я=ya`
    .split(/\s+/)
    .map((pair) => pair.split("=") as [string, string]),
)

function latin(text: string): string {
  const letters = [...text.toLowerCase()].map((letter) => LETTERS.get(letter) ?? letter).join("")
  return letters
    .normalize("NFD")
    .replace(/[\u0300-\u036f']/g, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
}

function parseList(list: string): Word[] {
  return list.split(",").map((entry) => {
    const [text = "", spelled] = entry.trim().split("=")
    return { text, latin: spelled ?? latin(text) }
  })
}

function parseWords(words: Words): Language {
  const categories = CATEGORIES.filter((category) => words.trades[category] !== undefined)
  return {
    given: parseList(words.given),
    family: parseList(words.family),
    trades: Object.fromEntries(categories.map((category) => [category, parseList(words.trades[category]!)])),
    streets: parseList(words.streets),
    mailbox: parseList(words.mailbox),
    gap: words.gap ?? " ",
    pickCategory: zipf(categories, 6),
  }
}

export const WORDS = Object.fromEntries(
  Object.entries(LANGUAGES).map(([code, words]) => [code, parseWords(words)]),
) as Record<LanguageCode, Language>

/** A business name in a language. The longer forms are the more frequent ones, so that few names come twice. */
export function nameBusiness(random: Random, language: Language): Business {
  const category = language.pickCategory(random)
  const trade = random.pick(language.trades[category]!)
  const family = random.pick(language.family)
  const given = random.pick(language.given)
  return {
    name: compose(random, language, trade.text, given.text, family.text),
    category,
    latin: `${family.latin}-${trade.latin}`,
    person: `${given.latin}.${family.latin}`,
  }
}

function compose(random: Random, language: Language, trade: string, given: string, family: string): string {
  const { gap } = language
  const other = random.pick(language.family).text
  const street = random.pick(language.streets).text
  const number = random.between(1, 199)
  switch (random.below(12)) {
    case 0:
      return number < 100 ? trade + gap + family : family + gap + trade
    case 1:
      return trade + gap + given + gap + family
    case 2:
      return `${family} & ${other}${gap}${trade}`
    case 3:
    case 4:
    case 5:
      return `${trade + gap + family}, ${street} ${number}`
    case 6:
      return `${trade + gap + family} & ${other} (${street})`
    case 7:
    case 8:
    case 9:
      return `${family + gap + trade} No. ${number} – ${given}`
    default:
      return `${given + gap + family} & ${other} ${trade} ${street}`
  }
}
