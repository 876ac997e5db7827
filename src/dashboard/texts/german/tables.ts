// The dashboard's texts in German.
import { COMMON } from "./common.ts"
import { CONTACTING } from "./contacting.ts"
import { DATA } from "./data.ts"
import { LEAD_TEXTS } from "./leads.ts"
import { PRIVACY } from "./privacy.ts"
import { REASONS } from "./reasons.ts"
import { SAID } from "./said.ts"
import { SETTINGS } from "./settings.ts"
import { WORK_TEXTS } from "./work.ts"

/** Each English text is in one of the tables. */
export const TABLES = [COMMON, LEAD_TEXTS, CONTACTING, WORK_TEXTS, DATA, PRIVACY, SETTINGS, REASONS, SAID]
