// Email domains that the operator gives to an account: whose verified emails sign in there with the provider.
import { domainToASCII } from "node:url"
import { isMailHost, registrable } from "../../matching/web.ts"
import { AppError, badRequest } from "../../runtime/errors.ts"
import type { AccountRow, Transaction } from "../../store/contract/store.ts"
import { excerpt } from "../../text/text.ts"
import { COMMAND_LINE, recordAdmin } from "./admin-log.ts"

const DOMAINS_MOST = 100
const DOMAIN_MAX = 253
/** `co.uk` and others of the kind, under which anybody registers domains. */
const SUFFIX = /^(ac|co|com|edu|gov|net|org)\.[a-z]{2}$/
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** A domain in lower case and punycode; undefined for a text that is none. */
function asDomain(text: string): string | undefined {
  // URL parsers would read only a part of a text with a slash or an @.
  if (/[/\\?#@:]/.test(text)) return undefined
  const ascii = domainToASCII(text.trim()).toLowerCase().replace(/\.$/, "")
  const labels = ascii.split(".")
  const isDomain =
    ascii.length <= DOMAIN_MAX && labels.length > 1 && labels.every((label) => LABEL.test(label))
  return isDomain && !/^\d+$/.test(labels.at(-1)!) ? ascii : undefined
}

/** The domain of an email address; undefined where it has none. */
export const domainOf = (email: string): string | undefined =>
  asDomain(email.slice(email.lastIndexOf("@") + 1))

/** Reads a domain that the operator names. Throws `bad_request` for what is none, and for one of people at large. */
export function readDomain(text: string): string {
  const domain = asDomain(text)
  if (domain === undefined)
    throw badRequest(
      `"${excerpt(text)}" is not an email domain: give what stands behind the @, such as corp.example`,
    )
  if (SUFFIX.test(domain))
    throw badRequest(
      `"${domain}" is an ending that many domains share: give the whole domain, such as acme.${domain}`,
    )
  if (isMailHost(registrable(domain)))
    throw badRequest(`Anybody can have an email at ${domain}: invite these people by a link instead`)
  return domain
}

/**
 * Gives domains to an account. Returns those that it has then, in order. Throws `conflict` for a domain of another account
 * and beyond `DOMAINS_MOST`.
 */
export async function addDomains(
  tx: Transaction,
  account: AccountRow,
  added: readonly string[],
  now: number,
): Promise<string[]> {
  for (const domain of added) {
    const other = await tx.accounts.findByDomain(domain)
    if (other && other.key !== account.key)
      throw new AppError(
        "conflict",
        `${domain} belongs to account "${other.name}" (${other.id}): take it from there first, with leaddb accounts domains ${other.id} remove ${domain}`,
      )
  }
  return setDomains(tx, account, [...(await tx.accounts.domains(account.key)), ...added], now)
}

/** Takes domains from an account. Returns those that it has then. Throws `not_found` for one that it does not have. */
export async function removeDomains(
  tx: Transaction,
  account: AccountRow,
  removed: readonly string[],
  now: number,
): Promise<string[]> {
  const had = await tx.accounts.domains(account.key)
  const missing = removed.find((domain) => !had.includes(domain))
  if (missing !== undefined) {
    const has = had.length === 0 ? "it has none" : `it has ${had.join(", ")}`
    throw new AppError("not_found", `${missing} does not belong to account "${account.name}": ${has}`)
  }
  return setDomains(
    tx,
    account,
    had.filter((domain) => !removed.includes(domain)),
    now,
  )
}

async function setDomains(
  tx: Transaction,
  { key, id }: AccountRow,
  given: readonly string[],
  now: number,
): Promise<string[]> {
  const domains = [...new Set(given)].toSorted()
  if (domains.length > DOMAINS_MOST)
    throw new AppError("conflict", `An account has at most ${DOMAINS_MOST} domains`)
  await tx.accounts.setDomains(key, domains)
  const details = { domains: domains.join(" ") }
  await recordAdmin(tx, key, "account.updated", { by: COMMAND_LINE, now, target: id, details })
  return domains
}
