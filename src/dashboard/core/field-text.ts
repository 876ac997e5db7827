// Values of fields as people read them.
import "./companies.ts"
import { fieldOf, VALUE_NAMES } from "./filters.ts"
import { dayText, formatNumber, moment, shown } from "./format.ts"
import "./stages.ts"
import { t } from "./text.ts"

/** Words of the API as people say them, by field. */
const WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  email_status: {
    ok: t("takes mail"),
    role: t("shared mailbox"),
    disposable: t("disposable"),
    no_mx: t("domain takes no mail"),
    bounced: t("bounced"),
    unknown: t("not checked"),
  },
  lawful_basis: {
    consent: t("consent"),
    contract: t("contract"),
    legal_obligation: t("legal obligation"),
    vital_interests: t("vital interests"),
    public_task: t("public task"),
    legitimate_interests: t("legitimate interests"),
  },
}

/** A field's value as text. */
export function fieldText(name: string, value: unknown): string {
  if (typeof value === "string" && VALUE_NAMES[name]) return VALUE_NAMES[name](value)
  if (typeof value === "number") {
    if (fieldOf(name).kind === "time") return moment(value)
    if (name === "value" || name === "review_count") return formatNumber(value)
  }
  if (name.startsWith("attr:") && /^\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?$/.test(String(value)))
    return dayText(String(value))
  return WORDS[name]?.[value as string] ?? shown(value)
}
