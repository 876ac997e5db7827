// The dashboard in German, loaded before its first script by those who read German.
import type { SpokenLanguage } from "../core/text.ts"
import { SAID } from "./german/said.ts"
import { TABLES } from "./german/tables.ts"
import { sentenceTranslator } from "./sentences.ts"

const texts: SpokenLanguage["texts"] = Object.assign({}, ...TABLES)
globalThis.leaddbTexts = { language: "de", texts, sentence: sentenceTranslator(texts, Object.keys(SAID)) }
