// The dashboard in German, loaded before its first script by those who read German.
import type { SpokenLanguage } from "../core/text.ts"

export const GERMAN: SpokenLanguage["texts"] = {}

globalThis.leaddbTexts = { language: "de", texts: GERMAN }
