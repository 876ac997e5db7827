// Claims of a provider as a person of this service.
import { ROLES, type Role } from "../../core/access.ts"
import type { ProviderPerson } from "../../domain/access/provider-sign-in.ts"
import { type Claims, claimAt, type OidcSettings } from "./provider.ts"

/** Only an email that the provider has verified counts. */
export function personOf(claims: Claims, { issuer, roleClaim }: OidcSettings): ProviderPerson {
  const email = claims.email_verified === true ? textOf(claims.email) : undefined
  const subject = textOf(claims.sub) ?? ""
  const name = [claims.name, claims.preferred_username, email, subject].map(textOf).find(Boolean)
  return {
    subject: `${issuer} ${subject}`,
    email,
    name: name ?? subject,
    role: roleOf(claimAt(claims, roleClaim)),
  }
}

/** The highest of the roles that a claim names; null where it names none of ours, undefined where it is missing. */
function roleOf(claim: unknown): Role | null | undefined {
  if (claim === undefined) return undefined
  const named = (Array.isArray(claim) ? claim : [claim]).map((one) => textOf(one)?.toLowerCase())
  return ROLES.findLast((role) => named.includes(role)) ?? null
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined
}
