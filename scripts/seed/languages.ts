import { bg, cs, el, ja, pl, sv, tr, uk } from "./words-east.ts"
import { de, en, es, fr, it, nl, pt } from "./words-west.ts"

export const LANGUAGES = { en, de, fr, es, it, pt, nl, pl, cs, sv, el, uk, bg, tr, ja }
export type LanguageCode = keyof typeof LANGUAGES
