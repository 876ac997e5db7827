import { comparableWords } from "../fold.ts"
import { memoizeShortText } from "../memoize-short-text.ts"
import { gluedName } from "../name.ts"
import { isMailHost, isPlatform, mailOf, webOf } from "../web.ts"

/** What says of a lead which firm it is of. */
export const FIRM_FIELDS = ["website", "email", "company", "city"] as const
type FirmFields = Readonly<Record<(typeof FIRM_FIELDS)[number], string | null>>

/** Texts whose sites, domains and names are kept: leads of one firm often come together. */
const KEPT = 5_000

const siteOf = memoizeShortText(KEPT, (website) => {
  const web = webOf(website)
  return web && !web.isPlatform && !isMailHost(web.site) ? web.site : ""
})
const domainOf = memoizeShortText(KEPT, (email) => {
  const mail = mailOf(email)
  return mail && !mail.isPublic && !isPlatform(mail.domain) ? mail.domain : ""
})
const nameOf = memoizeShortText(KEPT, (name) => gluedName(name) ?? "")

/** The domain of a firm: of its website, else of the email, unless that is one where anybody may have a page or an address. */
export function firmDomain({ website, email }: Pick<FirmFields, "website" | "email">): string | undefined {
  return (
    (website && siteOf(website)) || (email && domainOf(email.slice(email.lastIndexOf("@") - 1))) || undefined
  )
}

/** The same for all leads of a firm: its domain, else its name without the legal form and its place. */
export function firmKey(lead: FirmFields): string | undefined {
  const domain = firmDomain(lead)
  if (domain !== undefined) return domain
  const name = lead.company && nameOf(lead.company)
  return name ? `${name}|${lead.city ? comparableWords(lead.city).join(" ") : ""}` : undefined
}
