// A real provider of OpenID Connect on loopback, and a browser's way through it without a browser.
import { onTestFinished, spyOn } from "bun:test"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import Provider from "oidc-provider"
import { openTestApp, type TestApp } from "./app.ts"

/** Claims of each person by the name that they sign in with. */
type People = Record<string, Record<string, unknown>>

export interface WithProvider extends TestApp {
  /** Of REST and the dashboard. */
  origin: string
  issuer: string
  people: People
  /** Ends the provider. */
  closeProvider(): void
}

const CLIENT = { client_id: "leaddb", client_secret: "a secret of the client" }

/** A service whose people sign in with the provider. */
export async function openWithProvider(people: People, settings: object = {}): Promise<WithProvider> {
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const closeProvider = () => {
    server.closeAllConnections()
    server.close()
  }
  onTestFinished(closeProvider)
  const service = await openTestApp({
    oidcIssuer: issuer,
    oidcClientId: CLIENT.client_id,
    oidcClientSecret: CLIENT.client_secret,
    ...settings,
  })
  const { origin } = new URL(service.app.url)
  // It says on the console what is for development alone.
  const told = spyOn(console, "warn").mockImplementation(() => {})
  const provider = new Provider(issuer, {
    clients: [{ ...CLIENT, redirect_uris: [`${origin}/oidc/callback`] }],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "role", "groups"] },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...people[id] }) }),
    pkce: { required: () => true },
    cookies: { keys: ["a key of the tests"] },
  })
  server.on("request", provider.callback())
  told.mockRestore()
  return { ...service, origin, issuer, people, closeProvider }
}

/** Cookies as a browser keeps them, by origin. */
export class Jar {
  readonly #kept = new Map<string, Map<string, string>>()

  async send(url: string, init: RequestInit = {}): Promise<Response> {
    const { origin } = new URL(url)
    const own = this.#kept.get(origin) ?? new Map<string, string>()
    this.#kept.set(origin, own)
    const headers = new Headers(init.headers)
    if (own.size > 0) headers.set("Cookie", [...own].map(([name, value]) => `${name}=${value}`).join("; "))
    const response = await fetch(url, { ...init, headers, redirect: "manual" })
    for (const text of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(text) ?? []
      if (value === "" || /max-age=0|expires=Thu, 01 Jan 1970/i.test(text)) own.delete(name)
      else own.set(name, value)
    }
    return response
  }

  cookies(origin: string): string[] {
    return [...(this.#kept.get(origin)?.keys() ?? [])]
  }
}

/** Goes through the provider's pages as a person. Returns the address that it leads back to. */
export async function throughProvider(jar: Jar, { origin, issuer }: WithProvider, person: string, to = "") {
  const at = `${origin}/oidc/sign-in`
  return led(jar, { origin, issuer }, { response: await jar.send(at + to), at, person })
}

/** The same from the page of an invitation. */
export async function throughInvitation(jar: Jar, service: WithProvider, person: string, invite: string) {
  const at = `${service.origin}/oidc/sign-in`
  const headers = { "Content-Type": "application/json", "Sec-Fetch-Site": "same-origin" }
  const begun = await jar.send(at, { method: "POST", body: JSON.stringify({ invite }), headers })
  const { location, message } = (await begun.json()) as { location?: string; message?: string }
  if (location === undefined) throw new Error(`${begun.status} ${message}`)
  return led(jar, service, { response: await jar.send(location), at: location, person })
}

interface Step {
  response: Response
  at: string
  person: string
}

async function led(
  jar: Jar,
  { origin, issuer }: Pick<WithProvider, "origin" | "issuer">,
  { response, at, person }: Step,
) {
  for (let steps = 0; steps < 20; steps++) {
    const location = response.headers.get("location")
    if (location !== null) {
      at = new URL(location, at).href
      if (at.startsWith(`${origin}/oidc/callback`)) return at
      response = await jar.send(at)
      continue
    }
    const page = await response.text()
    const action = /<form[^>]*action="([^"]+)"/.exec(page)?.[1]
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1]
    if (!action || !prompt) throw new Error(`the provider at ${issuer} shows no form: ${page.slice(0, 500)}`)
    const fields = prompt === "login" ? { prompt, login: person, password: "any" } : { prompt }
    response = await jar.send(new URL(action, at).href, { method: "POST", body: new URLSearchParams(fields) })
  }
  throw new Error("the provider leads nowhere")
}

/** Signs a person in. Returns the answer of the way back. */
export async function signInWith(service: WithProvider, person: string, jar = new Jar(), to = "") {
  const back = await throughProvider(jar, service, person, to)
  return { response: await jar.send(back), back, jar }
}
