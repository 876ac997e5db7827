// The threats of RFC 9700, OAuth 2.0 Security Best Current Practice, each with attacks of its kind. What does not apply
// stands at the end, with the reason.
import type { Random } from "../../seed/random.ts"
import type { Door } from "./doors.ts"
import { mutated } from "./redirect-tricks.ts"
import { challengeOf, type Fields, REDIRECT, type SignIn, VERIFIER } from "./sign-in.ts"

export interface Ground {
  door: Door
  signIn: SignIn
  /** A registered client, and another that somebody else has. */
  client: string
  other: string
  random: Random
}

interface Threat {
  section: string
  name: string
  /** Where ordinary tests show it, too. */
  tests: string
  /** Makes one attack; answers with what it got, undefined when it was refused. */
  attack(ground: Ground): Promise<string | undefined>
}

const is = (holds: boolean, what: string): string | undefined => (holds ? undefined : what)

/** What an answer leads to when it is not the client's own address: an attacker's. */
function strays(location: string | null): boolean {
  return location !== null && !/^http:\/\/localhost(:\d+)?\/callback\?/.test(location)
}

export const THREATS: Threat[] = [
  {
    section: "2.1, 4.1",
    name: "redirect URIs that only look like the registered one",
    tests: "authorize.test.ts GET /authorize; redirects.test.ts",
    async attack({ signIn, client, random }) {
      const redirect_uri = mutated(REDIRECT, random)
      const { status, headers, html } = await signIn.open(signIn.authorizeUrl(client, { redirect_uri }))
      const leads = headers.get("location") ?? /http-equiv="refresh"|<form|<a href/.exec(html)?.[0]
      return is(status === 400 && !leads, `${JSON.stringify(redirect_uri)}: ${status} ${leads ?? ""}`)
    },
  },
  {
    section: "2.1, 4.1",
    name: "another redirect URI when the code is exchanged",
    tests: "token.test.ts with another port, with another address",
    async attack({ signIn, client, random }) {
      const code = await signIn.allow(client)
      const told = await signIn.exchange(client, code, { redirect_uri: mutated(REDIRECT, random) })
      return is(told.status === 400 && told.body.error === "invalid_grant", `${told.status}`)
    },
  },
  {
    section: "2.1.1, 4.8",
    name: "PKCE downgrade: no challenge, plain, no verifier, the challenge as verifier",
    tests: "authorize.test.ts asked for no challenge, plain; token.test.ts no verifier",
    async attack({ signIn, client, random }) {
      const downgrade = random.pick([
        { code_challenge: undefined, code_challenge_method: undefined },
        { code_challenge: undefined },
        { code_challenge_method: undefined },
        { code_challenge_method: "plain" },
        { code_challenge_method: "plain", code_challenge: VERIFIER },
        { code_challenge_method: "s256" },
        { code_challenge: "" },
      ])
      const page = await signIn.open(signIn.authorizeUrl(client, downgrade))
      const error = URL.parse(page.headers.get("location") ?? "")?.searchParams.get("error")
      if (error !== "invalid_request")
        return `asked with ${JSON.stringify(downgrade)}: ${page.status} ${error}`
      // A good page whose form is sent without the challenge, or with a weaker one.
      const good = await signIn.open(signIn.authorizeUrl(client))
      const weak = await signIn.decide({ ...good, fields: { ...good.fields, ...downgrade } })
      const got = URL.parse(weak.headers.get("location") ?? "")?.searchParams.get("code")
      if (got) return `a form without PKCE gave a code: ${JSON.stringify(downgrade)}`
      const code = await signIn.allow(client)
      const code_verifier = random.pick([
        undefined,
        "",
        challengeOf(VERIFIER),
        VERIFIER.slice(1),
        `${VERIFIER}v`,
      ])
      const told = await signIn.exchange(client, code, { code_verifier })
      return is(told.status === 400, `exchanged with the verifier ${code_verifier}: ${told.status}`)
    },
  },
  {
    section: "2.1.2",
    name: "implicit and hybrid grants",
    tests: "authorize.test.ts asked for a token at once, a fragment",
    async attack({ signIn, client, random }) {
      const asked = random.pick([
        { response_type: "token" },
        { response_type: "code token" },
        { response_type: "id_token token" },
        { response_type: "none" },
        { response_mode: "fragment" },
        { response_mode: "form_post" },
      ])
      const { headers, html } = await signIn.open(signIn.authorizeUrl(client, asked))
      const location = headers.get("location") ?? ""
      const isTold = /[?&]error=(unsupported_response_type|invalid_request)/.test(location)
      return is(
        isTold && !location.includes("#") && !/<form/.test(html),
        `${JSON.stringify(asked)}: ${location}`,
      )
    },
  },
  {
    section: "2.3, 4.9",
    name: "a key for another server, or with more rights than the person has",
    tests:
      "authorize.test.ts asked for another server, the role that is granted; token.test.ts another server",
    async attack({ door, signIn, client, random }) {
      const resource = random.pick([
        "https://other.example/mcp",
        `${signIn.origin}/api/v1`,
        "mcp",
        `${signIn.origin}.evil/mcp`,
      ])
      const page = await signIn.open(signIn.authorizeUrl(client, { resource }))
      const error = URL.parse(page.headers.get("location") ?? "")?.searchParams.get("error")
      if (error !== "invalid_target") return `${resource}: ${page.status} ${error}`
      const good = await signIn.open(signIn.authorizeUrl(client))
      const more = await signIn.decide(good, {
        key: door.viewer,
        role: random.pick(["editor", "owner", "admin"]),
      })
      return is(
        more.headers.get("location") === null && more.status >= 400,
        `a viewer granted more: ${more.status}`,
      )
    },
  },
  {
    section: "2.4, 4.14, 4.15",
    name: "grants that are not offered: password, client credentials, refresh, device, token exchange",
    tests: "token.test.ts with a refresh token, a password; register.test.ts client_credentials",
    async attack({ door, signIn, client, random }) {
      const grant_type = random.pick([
        "password",
        "client_credentials",
        "refresh_token",
        "urn:ietf:params:oauth:grant-type:device_code",
        "urn:ietf:params:oauth:grant-type:token-exchange",
        "urn:ietf:params:oauth:grant-type:jwt-bearer",
      ])
      const more = {
        username: "owner",
        password: door.owner,
        refresh_token: door.owner,
        assertion: door.owner,
      }
      const told = await signIn.post("/token", { grant_type, client_id: client, ...more })
      return is(
        told.status === 400 && told.body.error === "unsupported_grant_type",
        `${grant_type}: ${told.status}`,
      )
    },
  },
  {
    section: "2.6",
    name: "another web page's script at the authorization endpoint (CORS)",
    tests: "flow.test.ts to any web page; the sign-in page to none",
    async attack({ signIn, client }) {
      const { headers } = await signIn.open(signIn.authorizeUrl(client), { Origin: "https://evil.example" })
      return is(headers.get("access-control-allow-origin") === null, "a foreign page may read it")
    },
  },
  {
    section: "4.2, 4.3",
    name: "secrets in referrers, histories and caches",
    tests: "authorize.test.ts expectGuarded; test/mcp/access.test.ts",
    async attack({ door, signIn, client, random }) {
      const page = await signIn.open(signIn.authorizeUrl(client))
      const { headers, html } = page
      const isQuiet =
        headers.get("referrer-policy") === "no-referrer" && headers.get("cache-control") === "no-store"
      if (!isQuiet) return "the page may be kept or told on"
      // A link that a person follows loads nothing.
      const parts = html.replaceAll(/<a [^>]*>/g, "")
      if (/(src|href)="https?:/.test(parts)) return "the page loads something from elsewhere"
      const place = random.pick(["access_token", "api_key", "key", "token"])
      const status = await signIn.statusOf("", `${door.mcpUrl}?${place}=${door.owner}`)
      return is(status === 401, `a key in the address: ${status}`)
    },
  },
  {
    section: "4.4",
    name: "mix-up: an answer that does not say whose it is",
    tests: "flow.test.ts RFC 8414, cancelling; clients.test.ts checks who answers",
    async attack({ signIn, client, random }) {
      const page = await signIn.open(signIn.authorizeUrl(client))
      const decided = await signIn.decide(page, random.pick([{}, { decision: "deny" }]))
      const mistaken = await signIn.open(signIn.authorizeUrl(client, { response_type: "token" }))
      const answers = [decided, mistaken].map(
        ({ headers }) => URL.parse(headers.get("location") ?? "")?.searchParams,
      )
      const wrong = answers.filter((answer) => answer?.get("iss") !== signIn.origin)
      return is(wrong.length === 0, `answers without iss: ${wrong.join(" ")}`)
    },
  },
  {
    section: "4.5",
    name: "code injection: a stolen code in the attacker's own session",
    tests: "token.test.ts with a wrong verifier, with another client's code",
    async attack({ signIn, client, other }) {
      const code = await signIn.allow(client)
      const attempts: [string, string, Fields?][] = [
        [other, code],
        [client, code, { code_verifier: "w".repeat(43) }],
        [other, code, { code_verifier: "w".repeat(43) }],
        [crypto.randomUUID(), code],
        [client, code.slice(0, -1) + (code.endsWith("A") ? "B" : "A")],
      ]
      for (const [who, sent, changes] of attempts) {
        const { status, body } = await signIn.exchange(who, sent, changes)
        if (!/^invalid_(grant|client)$/.test(String(body.error)))
          return `${JSON.stringify(changes)}: ${status}`
      }
      return undefined
    },
  },
  {
    section: "4.5, 2.2",
    name: "code replay: the second use is refused, and takes the key with it",
    tests: "token.test.ts a code that is used again; two at once",
    async attack({ signIn, client, random }) {
      const code = await signIn.allow(client)
      const times = random.between(2, 5)
      const told = random.chance(0.5)
        ? await Promise.all(Array.from({ length: times }, () => signIn.exchange(client, code)))
        : [await signIn.exchange(client, code), await signIn.exchange(client, code)]
      const keys = told.flatMap(({ body }) => (body.access_token ? [String(body.access_token)] : []))
      if (keys.length !== 1) return `${keys.length} keys for one code`
      return is((await signIn.statusOf(keys[0]!)) === 401, "the key of a replayed code still works")
    },
  },
  {
    section: "4.7",
    name: "CSRF: a consent that no person gave",
    tests: "authorize.test.ts POST /authorize; browser.test.ts no other page",
    async attack({ signIn, client, other, random }) {
      const page = await signIn.open(signIn.authorizeUrl(client))
      const mine = await signIn.open(signIn.authorizeUrl(other, { state: "mine" }))
      const { token } = page.fields
      const forgeries = [
        () => signIn.decide({ ...page, cookie: "" }),
        () => signIn.decide({ ...page, cookie: mine.cookie }),
        () => signIn.decide({ ...page, fields: { ...page.fields, token: undefined } }),
        () => signIn.decide({ ...page, fields: { ...page.fields, token: mine.fields.token } }),
        () => signIn.decide({ ...mine, fields: { ...page.fields, token: mine.fields.token } }),
        () =>
          signIn.decide({ ...page, fields: { ...page.fields, token: `9999999999.${token?.split(".")[1]}` } }),
        () => signIn.decide({ ...page, fields: { ...page.fields, state: "another" } }),
        () => signIn.decide({ ...page, fields: { ...page.fields, client_id: other } }),
        () =>
          signIn.decide({ ...page, fields: { ...page.fields, code_challenge: challengeOf("w".repeat(43)) } }),
        () => signIn.decide(page, {}, { "Sec-Fetch-Site": random.pick(["cross-site", "same-site", "none"]) }),
        () => signIn.decide(page, {}, { Origin: "https://evil.example" }),
      ]
      for (const [i, forge] of forgeries.entries()) {
        const { status, headers } = await forge()
        if (status !== 403 || headers.get("location") !== null) return `forged consent ${i}: ${status}`
      }
      return undefined
    },
  },
  {
    section: "4.11",
    name: "open redirector: a mistake that leads to an attacker's web address by itself",
    tests: "authorize.test.ts is no open redirector",
    async attack({ signIn, random }) {
      const redirect_uris = ["https://evil.example/cb"]
      const evil = await signIn.register({ redirect_uris })
      const mistake = random.pick([
        { response_type: "token" },
        { code_challenge: undefined },
        { resource: "https://other.example/" },
        { response_mode: "fragment" },
      ])
      const url = signIn.authorizeUrl(evil, { redirect_uri: redirect_uris[0], ...mistake })
      const { headers, html } = await signIn.open(url)
      const leads = headers.get("location") ?? /http-equiv="refresh"/.exec(html)?.[0]
      return is(leads === undefined, `${JSON.stringify(mistake)} leads to ${leads}`)
    },
  },
  {
    section: "4.12",
    name: "a redirect that repeats the form with the key in it (307)",
    tests: "support.ts answerOf, in every flow",
    async attack({ signIn, client, random }) {
      const page = await signIn.open(signIn.authorizeUrl(client))
      const { status, headers } = await signIn.decide(page, random.pick([{}, { decision: "deny" }]))
      return is(status === 303 && !strays(headers.get("location")), `${status} to ${headers.get("location")}`)
    },
  },
  {
    section: "4.13",
    name: "headers of a reverse proxy that a client made up",
    tests: "flow.test.ts at the public address; test/mcp/guard.test.ts",
    async attack({ signIn, random }) {
      const headers: Record<string, string> = random.pick<Record<string, string>>([
        { "X-Forwarded-Host": "evil.example" },
        { "X-Forwarded-Proto": "https", "X-Forwarded-Host": "evil.example" },
        { Forwarded: "host=evil.example;proto=https" },
        { "X-Original-Host": "evil.example" },
        { Host: "evil.example" },
      ])
      const response = await fetch(`${signIn.origin}/.well-known/oauth-authorization-server`, { headers })
      return is(
        !(await response.text()).includes("evil.example") || response.status === 421,
        JSON.stringify(headers),
      )
    },
  },
  {
    section: "4.16",
    name: "clickjacking",
    tests: "authorize.test.ts expectGuarded; browser.test.ts no other page can put it into a frame",
    async attack({ signIn, client, random }) {
      const changes = random.pick<object>([{}, { redirect_uri: "https://evil.example/" }, { client_id: "x" }])
      const { headers } = await signIn.open(signIn.authorizeUrl(client, { ...changes }))
      if (headers.get("location")) return undefined
      const policy = headers.get("content-security-policy") ?? ""
      const isGuarded = headers.get("x-frame-options") === "DENY" && policy.includes("frame-ancestors 'none'")
      return is(isGuarded, `may be framed: ${policy}`)
    },
  },
  {
    section: "4.17",
    name: "answers by messages between windows",
    tests: "authorize.test.ts nothing on it runs",
    async attack({ signIn, client, random }) {
      const response_mode = random.pick(["web_message", "pmrpc", "relay"])
      const { headers, html } = await signIn.open(signIn.authorizeUrl(client, { response_mode }))
      const isTold = headers.get("location")?.includes("error=invalid_request")
      const page = await signIn.open(signIn.authorizeUrl(client))
      const isStill = !/<script|postMessage/i.test(page.html + html)
      const forbids = page.headers.get("content-security-policy")?.startsWith("default-src 'none'")
      return is(Boolean(isTold && isStill && forbids), `${response_mode}: ${headers.get("location")}`)
    },
  },
]

/** Threats that have nothing to get hold of here. */
export const NOT_APPLICABLE: Record<string, string> = {
  "2.5 client authentication":
    "clients are public programs without secrets; PKCE binds a code to the one that asked",
  "4.6 access token injection": "no token is ever in an answer of the authorization endpoint",
  "4.9.1 counterfeit resource servers": "the server that issues keys is the only one that takes them",
  "4.10 sender-constrained tokens":
    "keys are bearer keys by specification; they are listed, revoked at once, and shown once",
  "4.14 refresh tokens": "none are issued",
}
