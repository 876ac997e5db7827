// The endpoints where a client fetches the key it was granted, and revokes it.

import { hashApiKey, looksLikeApiKey } from "../../access/api-key-text.ts"
import { isAtLeast } from "../../access/rights.ts"
import { COMMAND_LINE } from "../../domain/access/admin-log.ts"
import { issueKey, revokeKeys } from "../../domain/access/api-keys.ts"
import type { StoredGrant, Transaction } from "../../store/contract/store.ts"
import { isKnownClient } from "./clients.ts"
import { parseResource } from "./origin.ts"
import { NO_STORE, OAuthRefusal, type Parameters, readForm } from "./parameters.ts"
import { fitsChallenge, hashSecret, type OAuth, type SignInVisit } from "./parts.ts"

const FORM_WANTED = "the body must be application/x-www-form-urlencoded, each parameter once"

/** Exchanges an authorization code for an API key (RFC 6749, 4.1.3). */
export async function exchangeCode(oauth: OAuth, visit: SignInVisit): Promise<Response> {
  const sent = await readForm(visit.request)
  if (!sent || sent.repeated) throw new OAuthRefusal("invalid_request", FORM_WANTED)
  await checkClient(oauth, visit, sent.get("client_id"))
  const type = sent.get("grant_type")
  if (type === undefined) throw new OAuthRefusal("invalid_request", "grant_type is missing")
  if (type !== "authorization_code") {
    throw new OAuthRefusal(
      "unsupported_grant_type",
      "grant_type must be authorization_code; keys need no refreshing",
    )
  }
  const missing = ["code", "code_verifier"].find((name) => sent.get(name) === undefined)
  if (missing) throw new OAuthRefusal("invalid_request", `${missing} is missing`)
  const result = await redeem(oauth, visit, sent)
  if (result instanceof OAuthRefusal) throw result
  const { key, expires_at } = result
  const lifetime = expires_at === null ? {} : { expires_in: expires_at - visit.now }
  return Response.json({ access_token: key, token_type: "Bearer", ...lifetime }, { headers: NO_STORE })
}

/** Makes clients whose registration is gone register again. */
async function checkClient(oauth: OAuth, { now }: SignInVisit, id: string | undefined): Promise<void> {
  if (id === undefined)
    throw new OAuthRefusal("invalid_client", "client_id is missing; clients have no secret here")
  if (!(await isKnownClient(oauth, id, now)))
    throw new OAuthRefusal("invalid_client", "the client is not registered, or no longer: register again")
}

type Issued = { key: string; expires_at: number | null }

async function redeem(
  { services, log }: OAuth,
  visit: SignInVisit,
  sent: Parameters,
): Promise<Issued | OAuthRefusal> {
  const { store } = services
  const { now } = visit
  const codeHash = hashSecret(sent.get("code")!)
  const unknown = new OAuthRefusal("invalid_grant", "the code is wrong, expired or used")
  // Wrong codes must not keep the writer busy.
  const row = await store.read.oauth.findGrant(codeHash, now)
  if (!row) return unknown
  return store.write(row.account, async (tx) => {
    const grant = await tx.oauth.findGrant(codeHash, now)
    if (!grant) return unknown
    const problem = mismatch(grant, visit, sent)
    if (problem) return problem
    if (grant.key_id === null) return issue(tx, codeHash, grant, now)
    // Somebody else has it too (OAuth 2.1, 4.1.3).
    await revokeKeys(tx, grant.account, grant.key_id, { by: COMMAND_LINE, now })
    log.warn("an authorization code was used twice: the key it became is revoked", {
      client: grant.client_name,
    })
    return unknown
  })
}

/** Refuses a code whose client, address or resource differ from those it was issued for. */
function mismatch(grant: StoredGrant, { origin }: SignInVisit, sent: Parameters): OAuthRefusal | undefined {
  if (grant.client_id !== sent.get("client_id"))
    return new OAuthRefusal("invalid_grant", "the code is another client's")
  const redirectUri = sent.get("redirect_uri")
  // OAuth 2.1 leaves it out here; PKCE does its work.
  if (redirectUri !== undefined && redirectUri !== grant.redirect_uri) {
    return new OAuthRefusal("invalid_grant", "redirect_uri is not the one that the code was sent to")
  }
  if (!fitsChallenge(sent.get("code_verifier")!, grant.challenge)) {
    return new OAuthRefusal("invalid_grant", "code_verifier does not fit the code_challenge")
  }
  const named = sent.get("resource")
  if (named === undefined) return undefined
  const resource = parseResource(named, origin)
  const isMeant = resource !== undefined && (grant.resource === null || resource === grant.resource)
  return isMeant ? undefined : new OAuthRefusal("invalid_target", "resource is not the one that was allowed")
}

async function issue(
  tx: Transaction,
  codeHash: Uint8Array,
  grant: StoredGrant,
  now: number,
): Promise<Issued | OAuthRefusal> {
  const { account, client_name: name, role, signer_id } = grant
  const signer = signer_id === null ? undefined : await tx.apiKeys.find(account, signer_id)
  const member = signer_id === null || signer ? undefined : await tx.members.find(account, signer_id)
  const isGone = signer_id !== null && !member && (!signer || (signer.expires_at ?? now + 1) <= now)
  if (isGone)
    return new OAuthRefusal("invalid_grant", "the key or member that allowed this is gone meanwhile")
  if (member && !isAtLeast(member.role, role)) {
    return new OAuthRefusal("invalid_grant", `the member who allowed this is ${member.role} now`)
  }
  const by = { key_id: signer_id, actor_id: member?.name ?? null }
  const kind = "sign_in"
  const key = await issueKey(tx, account, { name, role, expires_at: null, kind }, now, by)
  await tx.oauth.redeemGrant(codeHash, key.id)
  return key
}

/** Revokes a key that was issued here (RFC 7009); one that is not there any more is no error. */
export async function revokeToken(
  { services, log }: OAuth,
  { request, now }: SignInVisit,
): Promise<Response> {
  const sent = await readForm(request)
  const token = sent?.get("token")
  if (!sent || sent.repeated || token === undefined)
    throw new OAuthRefusal("invalid_request", `${FORM_WANTED}; token is missing`)
  const { store } = services
  const holder = looksLikeApiKey(token) ? await store.read.apiKeys.findByHash(hashApiKey(token)) : undefined
  if (!holder) return done()
  const client = await store.read.oauth.clientOfKey(holder.key.id)
  if (!client) {
    throw new OAuthRefusal(
      "unsupported_token_type",
      "this key was not issued by a sign-in; revoke it as an API key",
    )
  }
  if (client.client_id !== sent.get("client_id")) {
    throw new OAuthRefusal("invalid_client", "client_id must be of the client that the key was issued to")
  }
  const [account, id] = [holder.account.key, holder.key.id]
  await store.write(account, (tx) => revokeKeys(tx, account, id, { by: { key_id: id, actor_id: null }, now }))
  log.info("a client gave its key back", { key: holder.key.id, name: holder.key.name })
  return done()
}

function done(): Response {
  return new Response(null, { status: 200, headers: NO_STORE })
}
