// A client and a browser that do as they like, for attacks on the sign-in.
import { createHash } from "node:crypto"
import type { Door } from "./doors.ts"

export const REDIRECT = "http://localhost/callback"
export const VERIFIER = "v".repeat(43)
export const challengeOf = (verifier: string) => createHash("sha256").update(verifier).digest("base64url")

export type Fields = Record<string, string | undefined>

interface Page {
  status: number
  headers: Headers
  html: string
  /** The hidden fields of its form. */
  fields: Fields
  cookie: string
}

interface Told {
  status: number
  headers: Headers
  body: Record<string, unknown>
}

export interface SignIn {
  origin: string
  register(metadata?: object): Promise<string>
  authorizeUrl(client: string, changes?: Fields): string
  open(url: string, headers?: Record<string, string>): Promise<Page>
  /** Sends the form of a page; `decided` replaces fields. */
  decide(
    page: Pick<Page, "fields" | "cookie">,
    decided?: Fields,
    headers?: Record<string, string>,
  ): Promise<Page>
  /** Goes all the way to a code. */
  allow(client: string, changes?: Fields): Promise<string>
  exchange(client: string, code: string, changes?: Fields): Promise<Told>
  post(path: string, fields: Fields, headers?: Record<string, string>): Promise<Told>
  /** The status with which the tool server meets a key. */
  statusOf(key: string, url?: string): Promise<number>
}

export function createSignIn(door: Door): SignIn {
  const { origin } = new URL(door.mcpUrl)

  async function post(path: string, fields: Fields, headers: Record<string, string> = {}): Promise<Told> {
    const response = await fetch(origin + path, {
      method: "POST",
      headers,
      body: form(fields),
      redirect: "manual",
    })
    const text = await response.text()
    const isJson = response.headers.get("content-type")?.includes("json")
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : {} }
  }

  const open: SignIn["open"] = async (url, headers = {}) =>
    read(await fetch(url, { headers: { Accept: "text/html", ...headers }, redirect: "manual" }))

  const authorizeUrl: SignIn["authorizeUrl"] = (client, changes = {}) =>
    `${origin}/authorize?${form({
      response_type: "code",
      client_id: client,
      redirect_uri: REDIRECT,
      state: "a state",
      code_challenge: challengeOf(VERIFIER),
      code_challenge_method: "S256",
      resource: `${origin}/mcp`,
      ...changes,
    })}`

  const decide: SignIn["decide"] = async (page, decided = {}, headers = {}) => {
    const fields = { decision: "allow", role: "editor", key: door.owner, ...page.fields, ...decided }
    const response = await fetch(`${origin}/authorize`, {
      method: "POST",
      headers: { Cookie: page.cookie, ...headers },
      body: form(fields),
      redirect: "manual",
    })
    return read(response)
  }

  return {
    origin,
    open,
    authorizeUrl,
    decide,
    post,
    async register(metadata = {}) {
      // Registrations are limited to some in an hour.
      door.wait(3_600_000)
      const sent = { client_name: "Attacker", redirect_uris: [REDIRECT], ...metadata }
      const response = await fetch(`${origin}/register`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(sent),
      })
      const { client_id } = (await response.json()) as { client_id?: string }
      if (client_id === undefined) throw new Error(`POST /register: ${response.status}`)
      return client_id
    },
    async allow(client, changes) {
      const page = await open(authorizeUrl(client, changes))
      const { headers, status } = await decide(page)
      const code = URL.parse(headers.get("location") ?? "")?.searchParams.get("code")
      if (!code) throw new Error(`signing in gave ${status} and no code`)
      return code
    },
    exchange: (client, code, changes = {}) =>
      post("/token", {
        grant_type: "authorization_code",
        client_id: client,
        code,
        redirect_uri: REDIRECT,
        code_verifier: VERIFIER,
        ...changes,
      }),
    async statusOf(key, url = door.mcpUrl) {
      const response = await fetch(url, {
        method: "POST",
        headers: {
          ...(key && { Authorization: `Bearer ${key}` }),
          "Content-Type": "application/json",
          Accept: "application/json, text/event-stream",
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
      })
      await response.text()
      return response.status
    },
  }
}

function form(fields: Fields): URLSearchParams {
  return new URLSearchParams(
    Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}

async function read(response: Response): Promise<Page> {
  const html = await response.text()
  const hidden = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)]
  const fields = Object.fromEntries(hidden.map(([, name, value]) => [name, unescaped(value!)]))
  const cookie = response.headers.get("set-cookie")?.split(";")[0] ?? ""
  return { status: response.status, headers: response.headers, html, fields, cookie }
}

const ENTITIES: Record<string, string> = {
  "&quot;": '"',
  "&#39;": "'",
  "&lt;": "<",
  "&gt;": ">",
  "&amp;": "&",
}

function unescaped(html: string): string {
  return html.replaceAll(/&(quot|#39|lt|gt|amp);/g, (entity) => ENTITIES[entity]!)
}
