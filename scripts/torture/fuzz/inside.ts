// The fuzz without sockets: a new account of a service in this process every few thousand requests.
import { ask } from "../ask.ts"
import { type Inside, MCP, REST } from "../in-process.ts"
import type { Received } from "./answers.ts"
import { asRequest, fuzz, keysOf, LEADS, type Tally, type Target } from "./loop.ts"

/** Every how many answers one is held against the OpenAPI document. */
const SAMPLE = 5

/** Makes `count` requests for one new account; the first is the `from`th of the seed. */
export async function fuzzAccount(
  service: Inside,
  seed: number,
  from: number,
  count: number,
  tally: Tally,
): Promise<void> {
  const { key } = await service.addTenant(LEADS)
  const told = async (name: string, args: Record<string, unknown>) =>
    (await ask(service, key, "rest", name, args)).body
  const keys = await keysOf(
    key,
    (body) => told("create_api_key", body),
    async () => JSON.stringify(await told("list_api_keys", {})),
  )
  const target: Target = {
    exchange: (sent, nth) => exchange(service, asRequest(sent, ORIGINS[sent.surface]), nth),
    problem: (sent, received) => service.defects.splice(0)[0] ?? (sent && received && idle(sent, received)),
    sample: SAMPLE,
  }
  await fuzz(target, keys, { seed, from, count }, tally)
}

const ORIGINS = { rest: new URL(REST).origin, mcp: new URL(MCP).origin }

/** Nothing here is ever too busy to answer. */
function idle({ target }: { target: string }, { status, text }: Received): string | undefined {
  return status === 503 && !target.startsWith("/readyz") ? `503 ${text}` : undefined
}

async function exchange(
  service: Inside,
  request: Request | undefined,
  nth: number,
): Promise<Received | undefined> {
  if (!request) return undefined
  // Failed sign-ins are limited by address.
  const response = await service.fetch(request, `10.0.${Math.floor(nth / 250) % 250}.${nth % 250}`)
  const { status, headers } = response
  if (headers.get("content-type")?.startsWith("text/event-stream")) {
    await response.body?.cancel()
    return { status, headers, text: "" }
  }
  return { status, headers, text: await response.text() }
}
