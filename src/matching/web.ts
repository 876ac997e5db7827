// What a website and an email say: the site, who has addresses there, and the firm that a lead is of.
import { domainToASCII } from "node:url"
import { emailKey } from "../lead/contacts.ts"
import { memoizeShortText } from "../text/text.ts"
import table from "./data/web.json"
import { comparableWords, foldLetters } from "./fold.ts"
import { gluedName } from "./name.ts"

export interface Web {
  /** The registrable domain; on a platform with what names the page there. */
  site: string
  /** The path without slashes at its ends, lower-cased, "" for the first page. */
  path: string
  /** Numbers of three and more digits in the path. */
  numbers: string[]
  isPlatform: boolean
}

export interface Mail {
  local: string
  domain: string
  /** The domain is one that anybody can have an address at. */
  isPublic: boolean
  /** The local part names a desk (`info`), nobody. */
  isRole: boolean
}

const wordsOf = (lines: readonly string[]) => new Set(lines.join(" ").split(" "))
const SECOND_LEVEL = wordsOf(table["second level"])
const PLATFORMS = wordsOf(table.platforms)
const SUBDOMAIN_PLATFORMS = wordsOf(table["subdomain platforms"])
const MAIL_HOSTS = wordsOf(table["mail hosts"])
const ROLES = wordsOf(table["mail roles"])
/** Mailboxes of a service or a machine, besides (RFC 2142). */
const SERVICE_ROLES = wordsOf(table["service mail roles"])

/** `example.co.uk` of `www.shop.example.co.uk`. */
export function registrable(host: string): string {
  const labels = host.split(".").filter(Boolean)
  const two = labels.length > 2 && labels.at(-1)!.length === 2 && SECOND_LEVEL.has(labels.at(-2)!)
  return labels.slice(two ? -3 : -2).join(".")
}

/** What names a page of a platform in its query: a place, a profile, a film. */
const PAGE_IN_QUERY = /[?&](cid|ludocid|place_id|query_place_id|hotel_id|id|v)=([\w:-]+)/i
const REDIRECT =
  /^\s*(?:https?:\/\/)?(?:lm?\.facebook\.com\/l\.php|(?:www\.)?google\.[a-z.]{2,6}\/url)\?(?:[^#\s]*&)?(?:u|q|url)=([^&#\s]+)/i
/** Kinds of pages in front of what names one. */
const PAGE_KIND =
  /^(pages|pg|people|profile\.php|company|in|biz|c|channel|user|maps\/place|hotel\/[a-z]{2})\//

/** The page that a web address names; of a platform the query counts too, and a redirect names its target. */
export function webOf(text: string | null | undefined): Web | undefined {
  if (!text) return undefined
  const target = REDIRECT.exec(text)?.[1]
  return pageOf(target ? decoded(target) : text)
}

/** A host in lower case and in punycode, so that `straße.de` is not `strasse.de`. */
function hostOf(text: string): string {
  return /^[\x21-\x7e]+$/.test(text) ? text.toLowerCase() : domainToASCII(text) || foldLetters(text)
}

function pageOf(text: string): Web | undefined {
  const match =
    /^\s*(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^/@\s]*@)?([^/:?#\s]+\.[^/:?#\s]+)(?::\d+)?([^?#\s]*)/i.exec(text)
  if (!match) return undefined
  const host = hostOf(match[1]!)
    .replace(/^(www\d?|m)\./, "")
    .replace(/\.$/, "")
  const named = registrable(host)
  const domain = named === "twitter.com" ? "x.com" : named
  const path = foldLetters(decoded(match[2]!))
    .replace(/\/(index|home|default)(\.\w+)?$/, "")
    .replace(/^\/+|(?<!\/)\/+$|\.(html?|php|aspx?)$/g, "")
  if (SUBDOMAIN_PLATFORMS.has(domain) && host !== domain)
    return { site: host, path, numbers: [], isPlatform: false }
  if (PLATFORMS.has(domain) || PLATFORMS.has(host)) {
    const bare = domain === "booking.com" ? path.replace(/\.[a-z]{2}(-[a-z]{2})?$/, "") : path
    const query = PAGE_IN_QUERY.exec(text.slice(match[0].length))
    const page = bare.replace(PAGE_KIND, "") + (query ? `?${query[1]!.toLowerCase()}=${query[2]}` : "")
    return {
      site: `${domain}/${page.split("/").slice(0, 2).join("/")}`,
      path: page,
      numbers: [],
      isPlatform: true,
    }
  }
  return { site: domain, path, numbers: path.match(/\d{3,}/g) ?? [], isPlatform: false }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

export function mailOf(text: string | null | undefined): Mail | undefined {
  const key = text ? emailKey(text) : null
  const [local, host] = foldLetters(key ?? "").split("@")
  if (!local || !host) return undefined
  const domain = registrable(hostOf(host))
  const isPublic = MAIL_HOSTS.has(domain)
  const bare = local.replace(/\+.*$/s, "")
  return {
    local: domain === "gmail.com" ? bare.replaceAll(".", "") : bare,
    domain,
    isPublic,
    isRole: ROLES.has(bare),
  }
}

/** Whether the local part of an address names a desk or a service (`info`, `postmaster`), in lower case. */
export function isSharedMailbox(local: string): boolean {
  return ROLES.has(local) || SERVICE_ROLES.has(local)
}

/** Whether anybody can have a page at a domain, of a host, a marketplace, a network or a directory. */
export function isPlatform(domain: string): boolean {
  return PLATFORMS.has(domain)
}

/** Whether anybody can have an address at a domain. */
export function isMailHost(domain: string): boolean {
  return MAIL_HOSTS.has(domain)
}

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
