// A client and a browser without scripts, as far as signing in needs them.
import { expect } from "bun:test"
import { createHash } from "node:crypto"
import type { TestAccount } from "../support/app.ts"

export const REDIRECT = "http://localhost/callback"

/** A verifier and its S256 challenge. */
export function pkce(verifier = "v".repeat(43)): { verifier: string; challenge: string } {
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") }
}

/** Where the sign-in of a test's service is. */
export function originOf({ app }: TestAccount): string {
  return new URL(app.mcpUrl).origin
}

let registered = 0

/** Registers a client, where proxies are trusted from an address of its own; answers with its id. */
export async function register(origin: string, metadata: object = {}): Promise<string> {
  const body = { client_name: "Test App", redirect_uris: [REDIRECT], ...metadata }
  const n = ++registered
  const response = await postRegistration(origin, body, { "X-Forwarded-For": `10.9.${n >> 8}.${n % 256}` })
  expect(response.status).toBe(201)
  return (await response.json()).client_id
}

export function postRegistration(origin: string, metadata: unknown, headers = {}): Promise<Response> {
  const body = typeof metadata === "string" ? metadata : JSON.stringify(metadata)
  return fetch(`${origin}/register`, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body,
  })
}

export type Fields = Record<string, string | undefined>

function form(fields: Fields): URLSearchParams {
  const given = Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return new URLSearchParams(given)
}

/** A good authorization request; `changes` replace parameters, undefined leaves one out. */
export function authorizeUrl(origin: string, clientId: string, changes: Fields = {}): string {
  const query = form({
    response_type: "code",
    client_id: clientId,
    redirect_uri: REDIRECT,
    state: "a state",
    code_challenge: pkce().challenge,
    code_challenge_method: "S256",
    resource: `${origin}/mcp`,
    ...changes,
  })
  return `${origin}/authorize?${query}`
}

export interface Shown {
  status: number
  headers: Headers
  html: string
  /** What is in the form, as a browser would send it. */
  fields: Fields
  cookie: string
}

/** Opens a page as a browser does. */
export async function show(url: string, headers: Record<string, string> = {}): Promise<Shown> {
  const response = await fetch(url, { headers: { Accept: "text/html", ...headers }, redirect: "manual" })
  return read(response)
}

async function read(response: Response): Promise<Shown> {
  const html = await response.text()
  const hidden = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)]
  const fields = Object.fromEntries(hidden.map(([, name, value]) => [name, readEntities(value!)]))
  const cookie = response.headers.get("set-cookie")?.split(";")[0] ?? ""
  return { status: response.status, headers: response.headers, html, fields, cookie }
}

function readEntities(html: string): string {
  return html
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
}

/** Sends the form of a page; `decided` is what the person filled in. */
export async function submit(
  origin: string,
  shown: Pick<Shown, "fields" | "cookie">,
  decided: Fields,
  headers: Record<string, string> = {},
): Promise<Shown> {
  const response = await fetch(`${origin}/authorize`, {
    method: "POST",
    headers: { Cookie: shown.cookie, ...headers },
    body: form({ decision: "allow", role: "editor", ...shown.fields, ...decided }),
    redirect: "manual",
  })
  return read(response)
}

/** The answer that a client got at its own address. */
export function answerOf(shown: Shown): URLSearchParams {
  expect(shown.status).toBe(303)
  return new URL(shown.headers.get("location")!).searchParams
}

/** Signs in and lets the client in; answers with its code. */
export async function allow(origin: string, url: string, key: string, role = "editor"): Promise<string> {
  const shown = await show(url)
  expect(shown.status).toBe(200)
  return answerOf(await submit(origin, shown, { key, role })).get("code")!
}

interface Told {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  body: any
}

/** Sends a form to an endpoint for programs. */
export async function post(
  url: string,
  fields: Fields | string,
  headers: Record<string, string> = {},
): Promise<Told> {
  const body = typeof fields === "string" ? fields : form(fields)
  const type = { "Content-Type": "application/x-www-form-urlencoded" }
  const response = await fetch(url, { method: "POST", headers: { ...type, ...headers }, body })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    body: text === "" ? undefined : JSON.parse(text),
  }
}

/** Asks for the key; `changes` replace parameters, undefined leaves one out. */
export function exchange(
  origin: string,
  clientId: string,
  code: string,
  changes: Fields = {},
): Promise<Told> {
  return post(`${origin}/token`, {
    grant_type: "authorization_code",
    client_id: clientId,
    code,
    redirect_uri: REDIRECT,
    code_verifier: pkce().verifier,
    resource: `${origin}/mcp`,
    ...changes,
  })
}

/** The status with which the tool server meets a key. */
export async function statusAtMcp({ app }: TestAccount, key: string): Promise<number> {
  const response = await fetch(app.mcpUrl, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${key}`,
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
  })
  await response.text()
  return response.status
}
