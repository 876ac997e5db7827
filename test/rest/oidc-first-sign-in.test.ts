// Which account a first sign-in with the provider leads to: that of an invitation, or of the email's domain.
import { describe, expect, test } from "bun:test"
import { addDomains } from "../../src/domain/access/domains.ts"
import { createIds, systemClock, unixSeconds } from "../../src/runtime/clock.ts"
import { addAccount } from "../support/account.ts"
import { openBeside } from "../support/database.ts"
import {
  Jar,
  openWithProvider,
  signInWith,
  throughInvitation,
  type WithProvider,
} from "../support/oidc-provider.ts"

const CEO = { name: "The CEO", email: "ceo@corp.example", email_verified: true }

/** A service of two accounts: the one of the tests' key, and one of somebody else. */
async function openTwo(people: Record<string, Record<string, unknown>>) {
  const service = await openWithProvider(people)
  const other = await addAccount(service.config.file)
  const invitedBy = async (key: string | undefined, name: string, role = "editor") => {
    const headers = key === undefined ? {} : { "X-API-Key": key }
    return (await service.call("POST", "/members", { name, role }, headers)).body
  }
  return { service, other, invitedBy }
}

/** As the command does it, beside the service. */
async function giveDomain({ config }: WithProvider, id: string | undefined, domain: string): Promise<void> {
  const store = await openBeside(config.file, createIds(systemClock))
  try {
    const [first] = await store.read.accounts.list()
    const account = id === undefined ? first! : (await store.read.accounts.find(id))!
    await store.writeAcross((tx) => addDomains(tx, account, [domain], unixSeconds(systemClock.now())))
  } finally {
    await store.close()
  }
}

async function whoIs({ origin }: WithProvider, jar: Jar) {
  const headers = { "Sec-Fetch-Site": "same-origin" }
  const response = await jar.send(`${origin}/api/v1/sessions/current`, { headers })
  const { role, actor, account } = (await response.json()) as Record<string, never> & {
    actor?: { id: string; name: string }
    account?: { id: string }
  }
  return { status: response.status, role, id: actor?.id, account: account?.id }
}

async function problemOf(response: Response): Promise<string> {
  return /role="alert">([^<]*)</.exec(await response.text())?.[1] ?? ""
}

async function finish(service: WithProvider, person: string, invite: string, jar = new Jar()) {
  const response = await jar.send(await throughInvitation(jar, service, person, invite))
  return { response, jar }
}

describe("among several accounts, a first sign-in", () => {
  const ROLES = [undefined, "owner", "viewer"]
  test.each(ROLES)("leads to no account whose owner named the address (role claim %p)", async (role) => {
    const { service, other, invitedBy } = await openTwo({ ceo: { ...CEO, ...(role && { role }) } })
    await invitedBy(other.key, CEO.email)
    const { response, jar } = await signInWith(service, "ceo")
    expect([response.status, await problemOf(response)]).toEqual([
      403,
      expect.stringContaining("open the link of your invitation"),
    ])
    expect((await whoIs(service, jar)).status).toBe(401)
    await invitedBy(undefined, CEO.email)
    expect((await signInWith(service, "ceo")).response.status).toBe(403)
  })

  test("with an invitation leads to its member, whoever else named the address, and does so from then on", async () => {
    const { service, other, invitedBy } = await openTwo({ ceo: CEO })
    await invitedBy(other.key, CEO.email, "owner")
    const { id, invite } = await invitedBy(undefined, "Chief", "viewer")
    const { response, jar } = await finish(service, "ceo", invite)
    expect([response.status, response.headers.get("location")]).toEqual([303, "/app#oidc"])
    expect(await whoIs(service, jar)).toMatchObject({ id, role: "viewer" })
    const again = await signInWith(service, "ceo")
    expect(await whoIs(service, again.jar)).toMatchObject({ id, role: "viewer" })
    const members = (await service.call("GET", "/members")).body
    expect(members).toMatchObject([{ id, has_provider: true, invite_expires_at: null }])
  })

  test("goes by the email's domain that the operator gave to an account, named there or by role", async () => {
    const people = {
      ceo: { ...CEO, email: "CEO@Corp.Example" },
      new: { ...CEO, name: "New", email: "new@corp.example", role: "viewer" },
      none: { ...CEO, name: "None", email: "none@corp.example" },
      below: { ...CEO, name: "Below", email: "ceo@mail.corp.example", role: "owner" },
      unproven: { ...CEO, email_verified: false, role: "owner" },
    }
    const { service, other, invitedBy } = await openTwo(people)
    await giveDomain(service, undefined, "corp.example")
    await invitedBy(other.key, CEO.email, "owner")
    const { id } = await invitedBy(undefined, CEO.email, "viewer")
    const own = (await service.call("GET", "/sessions/current")).body.account.id
    const ceo = await signInWith(service, "ceo")
    expect(await whoIs(service, ceo.jar)).toMatchObject({ id, role: "viewer", account: own })
    expect(await whoIs(service, (await signInWith(service, "new")).jar)).toMatchObject({ account: own })
    for (const person of ["none", "below", "unproven"])
      expect([person, (await signInWith(service, person)).response.status]).toEqual([person, 403])
  })

  test("accepts no invitation to an account while the email's domain is another's", async () => {
    const { service, other, invitedBy } = await openTwo({ ceo: { ...CEO, role: "editor" } })
    await giveDomain(service, undefined, "corp.example")
    const { invite } = await invitedBy(other.key, "Chief")
    const { response, jar } = await finish(service, "ceo", invite)
    expect([response.status, await problemOf(response)]).toEqual([
      403,
      expect.stringContaining("sign in without it"),
    ])
    expect((await whoIs(service, jar)).status).toBe(401)
    expect((await signInWith(service, "ceo")).response.status).toBe(303)
  })
})

describe("an invitation", () => {
  test("binds nobody who is another member already, and nobody twice", async () => {
    const { service, other, invitedBy } = await openTwo({
      ceo: CEO,
      second: { ...CEO, email: "x@y.example" },
    })
    const first = await invitedBy(undefined, "Chief")
    expect((await finish(service, "ceo", first.invite)).response.status).toBe(303)
    const foreign = await invitedBy(other.key, "Chief")
    const { response } = await finish(service, "ceo", foreign.invite)
    expect([response.status, await problemOf(response)]).toEqual([
      409,
      expect.stringContaining("another member with this provider already"),
    ])
    expect(throughInvitation(new Jar(), service, "second", first.invite)).rejects.toThrow("401")
  })

  test("that is taken back while a person is at the provider binds nobody", async () => {
    const { service, invitedBy } = await openTwo({ ceo: CEO })
    const { id, invite } = await invitedBy(undefined, "Chief")
    const jar = new Jar()
    const back = await throughInvitation(jar, service, "ceo", invite)
    await service.call("POST", `/members/${id}/invite`)
    const response = await jar.send(back)
    expect([response.status, await problemOf(response)]).toEqual([401, expect.stringContaining("taken back")])
    expect((await service.call("GET", "/members")).body).toMatchObject([
      { joined_at: null, has_provider: false },
    ])
  })

  test("ends the sign-ins that the member had before it", async () => {
    const { service, invitedBy } = await openTwo({ ceo: CEO })
    const { id, invite } = await invitedBy(undefined, "Chief")
    const password = "a long sentence is best"
    await service.call("POST", "/members/join", { invite, password }, { "X-API-Key": "" })
    const again = (await service.call("POST", `/members/${id}/invite`)).body
    expect((await finish(service, "ceo", again.invite)).response.status).toBe(303)
    const old = await service.call("POST", "/sessions", { name: "Chief", password }, { "X-API-Key": "" })
    expect(old.status).toBe(401)
  })

  const FOREIGN: [headers: Record<string, string>, body: string, status: number][] = [
    [{ "Sec-Fetch-Site": "cross-site" }, "{}", 403],
    [{ Origin: "https://evil.example" }, "{}", 403],
    [{ "Content-Type": "text/plain" }, "{}", 400],
    [{}, "{", 400],
    [{}, "[]", 400],
    [{}, "{}", 400],
    [{}, JSON.stringify({ invite: 1 }), 400],
    [{}, JSON.stringify({ invite: "x" }), 401],
    [{}, JSON.stringify({ invite: "x", to: "/" }), 400],
  ]
  test("is taken from the service's own page alone", async () => {
    const { origin } = await openWithProvider({})
    for (const [headers, body, status] of FOREIGN) {
      const init = { method: "POST", body, headers: { "Content-Type": "application/json", ...headers } }
      const response = await fetch(`${origin}/oidc/sign-in`, init)
      const { message } = (await response.json()) as { message: string }
      expect([headers, body, response.status, message]).toEqual([headers, body, status, expect.any(String)])
      expect(response.headers.get("set-cookie")).toBeNull()
    }
  })
})
