// The dashboard in German, loaded before its first script by those who read German.
import type { SpokenLanguage } from "../core/text.ts"
import { COMMON } from "./german/common.ts"
import { DATA } from "./german/data.ts"
import { LEADS } from "./german/leads.ts"
import { PRIVACY } from "./german/privacy.ts"
import { SETTINGS } from "./german/settings.ts"
import { WORK } from "./german/work.ts"

/** Each English text is in one of the tables. */
export const TABLES = [COMMON, LEADS, WORK, DATA, PRIVACY, SETTINGS]

const texts: SpokenLanguage["texts"] = Object.assign({}, ...TABLES)
globalThis.leaddbTexts = { language: "de", texts }
