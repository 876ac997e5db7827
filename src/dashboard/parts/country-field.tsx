import { useRef } from "preact/hooks"
import { patch } from "../core/api.ts"
import { useGet } from "../core/loading.ts"
import { isOwner } from "../core/session.ts"
import { language, t } from "../core/text.ts"
import { say } from "../core/toast.ts"
import type { AccountAnswer } from "../core/types.ts"
import { SavedSelect } from "./fields.tsx"

const names = new Intl.DisplayNames(language, { type: "region", fallback: "none" })
/** Codes that browsers have a name for and that are no countries. */
const NO_COUNTRIES = /^(C[PQ]|DG|E[AUZ]|IC|QO|UN|X[AB]|ZZ)$/
const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
/** Two letters that the browser has a country for, without those of countries that are called otherwise now. */
const COUNTRIES = LETTERS.flatMap((first) => LETTERS.map((second) => first + second))
  .flatMap((code) => {
    if (NO_COUNTRIES.test(code)) return []
    const isNow = Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`
    const name = isNow ? names.of(code) : undefined
    return name === undefined ? [] : [[code, name] as const]
  })
  .toSorted(([, a], [, b]) => a.localeCompare(b))

interface Props {
  /** Asks only those who have chosen none. */
  isAsked?: boolean
  onChanged?: () => void
}

/** Chooses the country whose phones are meant where a number names none. */
export function CountryField({ isAsked = false, onChanged }: Props) {
  const { data, set } = useGet<AccountAnswer>("/account")
  const wasNone = useRef<boolean>(undefined)
  if (!data) return null
  wasNone.current ??= data.default_country === null
  if (isAsked && !wasNone.current) return null
  async function save(code: string) {
    set(await patch<AccountAnswer>("/account", { default_country: code === "" ? null : code }))
    say(
      code === ""
        ? t("Phones are read without a country")
        : t("Phones are read as of {of}", { of: names.of(code) }),
    )
    onChanged?.()
  }
  return (
    <SavedSelect
      label={t("Default country for phone numbers")}
      hint={t("030 1234567 and +49 30 1234567 are then the same phone. A lead's own country comes first.")}
      value={data.default_country ?? ""}
      disabled={!isOwner.value}
      options={[["", t("none")], ...COUNTRIES]}
      save={save}
    />
  )
}
