// The dashboard's texts in German.
import { COMMON } from "./common.ts"
import { DATA } from "./data.ts"
import { LEADS } from "./leads.ts"
import { PRIVACY } from "./privacy.ts"
import { SETTINGS } from "./settings.ts"
import { WORK } from "./work.ts"

/** Each English text is in one of the tables. */
export const TABLES = [COMMON, LEADS, WORK, DATA, PRIVACY, SETTINGS]
