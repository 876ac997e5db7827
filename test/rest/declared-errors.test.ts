// Every error that an operation declares is provoked on the running service; `checkDocumented` refuses any other.
import { beforeAll, describe, expect, test } from "bun:test"
import { operations } from "../../src/domain/operations/index.ts"
import { AppError, type ErrorKind } from "../../src/runtime/errors.ts"
import { routesOf } from "../../src/surfaces/openapi/operation.ts"
import { declaredErrors } from "../../src/surfaces/rest/answer.ts"
import { rpc } from "../mcp/support.ts"
import { addAccount } from "../support/account.ts"
import { type Answer, type Call, openTestAppForReading } from "../support/app.ts"
import { jobDone } from "../support/settled.ts"
import { until } from "../support/until.ts"

const SIGN_IN = { "Sec-Fetch-Site": "same-origin", "Content-Type": "application/json" }
const UNKNOWN = "00000000-0000-7000-8000-000000000000"

/** Accounts of one service: `call` has room, `full` keeps one lead, `stuffed` no byte more, `spent` no request more. */
interface World {
  call: Call
  full: Call
  stuffed: Call
  /** The id of its one lead. */
  lead: string
  spent: Call
  /** Of an account that imports a lot. */
  busy: Call
  nobody: Call
}
let world: World

const another = openTestAppForReading(async () => {})
const service = openTestAppForReading(async ({ config, as, call }) => {
  const keyOf = async (limits: Parameters<typeof addAccount>[1]) =>
    as((await addAccount(config.file, limits)).key)
  const spent = await keyOf({ limits: { requests_limit: 1 } })
  await spent("GET", "/account")
  const stuffed = await keyOf({ limits: { storage_limit: 1 } })
  const lead = await made(stuffed)
  const full = await keyOf({ limits: { leads_limit: 2 } })
  world = { call, full, stuffed, lead, spent, busy: await keyOf({}), nobody: as("") }
})

const MAIL = { name: "t", subject: "s", body: "b" }

/** A new lead's id. */
async function made(call: Call, lead: object = {}): Promise<string> {
  const name = crypto.randomUUID()
  const { status, body } = await call("POST", "/leads", { name, source: "test", ...lead })
  if (status !== 201) throw new Error(`no new lead: ${JSON.stringify(body)}`)
  return body.id
}

/** An email on the do-not-contact list. */
async function listed(call: Call): Promise<string> {
  const value = `${crypto.randomUUID()}@example.com`
  await call("POST", "/suppressions", { value })
  return value
}

/** Two leads whose emails and source_ids differ. */
async function two(call: Call) {
  const [a, b] = [crypto.randomUUID(), crypto.randomUUID()]
  const first = await made(call, { email: `${a}@example.com`, source_id: a })
  const second = await made(call, { email: `${b}@example.com`, source_id: b })
  return { first, second, emails: [`${a}@example.com`, `${b}@example.com`], sources: [a, b] }
}

/** The last answer of a request that is sent until it is refused. */
async function untilRefused(most: number, send: (i: number) => Promise<Answer>): Promise<Answer> {
  for (let i = 0; ; i++) {
    const answer = await send(i)
    if (answer.status >= 400 || i > most) return answer
  }
}

/** The id of a pair whose leads were merged; one for all tests, as finding it takes a while. */
let merged: Promise<string> | undefined
const mergedPair = (call: Call) => (merged ??= mergePair(call))

async function mergePair(call: Call): Promise<string> {
  const name = `Pair ${crypto.randomUUID()}`
  const first = await made(call, { name, city: "Berlin", phone: "+49301234567", website: "pair.example" })
  const second = await made(call, {
    name: `${name} X`,
    city: "Berlin",
    website: "pair.example",
    address: "A 1",
  })
  const found = await until("the pair is found", async () => {
    const { body } = await call("GET", `/leads/${first}/duplicates?min_probability=0`)
    return body.duplicates.find((pair: { a: { id: string }; b: { id: string } }) =>
      [pair.a.id, pair.b.id].includes(second),
    )
  })
  await call("POST", "/leads/merge", { survivor: first, losers: [second] })
  return found.id
}

async function mergeOf(call: Call): Promise<string> {
  const { first, second } = await two(call)
  return (await call("POST", "/leads/merge", { survivor: first, losers: [second] })).body.merge_id
}

async function offWebhook(call: Call): Promise<string> {
  const { body } = await call("POST", "/webhooks", { url: "http://127.0.0.1:9/off" })
  await call("PATCH", `/webhooks/${body.id}`, { active: false })
  return body.id
}

/** A form with a post that was kept apart. */
async function spamFor(call: Call) {
  const [first] = (await call("GET", "/forms")).body
  const form = first ?? (await call("POST", "/forms", { name: "Contact" })).body
  const headers = { "Content-Type": "application/json" }
  const body = JSON.stringify({ email: "spam@example.com", [form.honeypot]: "x" })
  await fetch(form.url, { method: "POST", headers, body })
  const { body: kept } = await call("GET", `/forms/${form.id}/spam`)
  return { form: form.id as string, spam: kept.spam[0].id as string }
}

/** A file that takes longer than the request that brings it. */
const MANY = `name,source\n${Array.from({ length: 20_000 }, (_, i) => `Lead ${i},file`).join("\n")}\n`
const CSV = { "Content-Type": "text/csv" }
const importing = (call: Call, query: string, lines = "name,source\nA,b\n") =>
  call("POST", `/leads/import?${query}`, lines, CSV)

/**
 * How each error is provoked that is an operation's own, by the operation and the error. A missing thing in the path is
 * `unknownInPath` for all.
 */
const OWN: Readonly<Record<string, (world: World) => Promise<Answer>>> = {
  "approve_app forbidden": ({ call }) => call("POST", "/sessions/app", { request: "of a key" }),
  "set_network conflict": ({ call }) => call("PUT", "/network", { lan: true }),
  "aggregate_leads too_many_groups": async ({ call }) => {
    const value = Array.from({ length: 40 }, (_, i) => `item ${i}`)
    await made(call, { attributes: ["a", "b", "c"].map((name) => ({ name, type: "list", value })) })
    return call("GET", "/leads/aggregate?group_by=attr:a,attr:b,attr:c")
  },
  "import_leads not_found": ({ call }) => importing(call, "mapping=nothing"),
  "import_leads conflict": async ({ busy }) => {
    const refused = await untilRefused(50, () => importing(busy, "background=true", MANY))
    for (const { id } of (await busy("GET", "/jobs")).body.jobs) await busy("POST", `/jobs/${id}/stop`)
    return refused
  },
  "import_leads storage_limit_reached": async ({ stuffed }) => {
    expect((await importing(stuffed, "dry_run=true")).status).toBe(200)
    expect((await importing(stuffed, "")).body.code).toBe("storage_limit_reached")
    return importing(stuffed, "background=true")
  },
  "download_export not_found": async ({ call }) => {
    const { body } = await call("POST", "/api-keys", { name: "Revoked", role: "viewer" })
    const asked = { name: "list_leads", arguments: { format: "json" } }
    const answer = await rpc({ ...service(), key: body.key }, "tools/call", asked)
    const { url } = answer.result.structuredContent.data
    await call("DELETE", `/api-keys/${body.id}`)
    return call("GET", url.slice(url.indexOf("/exports/")))
  },
  "undo_import conflict": async ({ call }) => {
    const { body } = await importing(call, "source=test")
    await call("POST", `/imports/${body.id}/undo`)
    return call("POST", `/imports/${body.id}/undo`)
  },
  "create_import_mapping conflict": async ({ call }) => {
    await call("POST", "/import-mappings", { name: "twice", map: ["A:name"] })
    return call("POST", "/import-mappings", { name: "twice", map: ["A:name"] })
  },
  "update_import_mapping conflict": async ({ busy }) => {
    const save = (i: number) => busy("PUT", `/import-mappings/m${i}`, { map: ["A:name"] })
    await Promise.all(Array.from({ length: 1_000 }, (_, i) => save(i)))
    return save(1_000)
  },
  "create_lead conflict": async ({ call }) => {
    const { emails, sources } = await two(call)
    return call("POST", "/leads", { name: "n", source: "s", email: emails[0], source_id: sources[1] })
  },
  "create_lead suppressed": async ({ call }) =>
    call("POST", "/leads", { name: "n", source: "s", email: await listed(call) }),
  "create_lead leads_limit_reached": ({ full }) =>
    untilRefused(3, (i) => full("POST", "/leads", { name: `${i}`, source: "s" })),
  "create_lead storage_limit_reached": ({ stuffed }) => stuffed("POST", "/leads", { name: "n", source: "s" }),
  "list_suppressions not_found": ({ call }) => call("GET", "/suppressions?lead_id=cl_none"),
  "update_lead precondition_failed": async ({ call }) =>
    call("PATCH", `/leads/${await made(call)}`, { city: "Bern" }, { "If-Match": '"other"' }),
  "update_lead conflict": async ({ call }) => {
    const { first, emails } = await two(call)
    return call("PATCH", `/leads/${first}`, { email: emails[1] })
  },
  "update_lead suppressed": async ({ call }) =>
    call("PATCH", `/leads/${await made(call)}`, { email: await listed(call) }),
  "update_lead storage_limit_reached": ({ stuffed, lead }) =>
    stuffed("PATCH", `/leads/${lead}`, { description: "x".repeat(5_000) }),
  "delete_lead precondition_failed": async ({ call }) =>
    call("DELETE", `/leads/${await made(call)}`, undefined, { "If-Match": '"other"' }),
  "update_attribute_definition conflict": async ({ call }) => {
    const attributes = ["one", "two"].map((name) => ({ name: `defined ${name}`, type: "number", value: 1 }))
    await made(call, { attributes })
    return call("PUT", "/attributes/defined%20one", { name: "defined two" })
  },
  "upsert_lead_by_email conflict": async ({ call }) => {
    const { emails, sources } = await two(call)
    return call("PUT", `/leads/by/email/${emails[0]}`, { name: "n", source: "s", source_id: sources[1] })
  },
  "upsert_lead_by_email suppressed": async ({ call }) =>
    call("PUT", `/leads/by/email/${await listed(call)}`, { name: "n", source: "s" }),
  "upsert_lead_by_email leads_limit_reached": ({ full }) =>
    untilRefused(3, (i) => full("PUT", `/leads/by/email/e${i}@example.com`, { name: "n", source: "s" })),
  "upsert_lead_by_email storage_limit_reached": ({ stuffed }) =>
    stuffed("PUT", "/leads/by/email/e@example.com", { name: "n", source: "s" }),
  "upsert_lead_by_source_id conflict": async ({ call }) => {
    const { emails, sources } = await two(call)
    return call("PUT", `/leads/by/source_id/${sources[0]}`, { name: "n", source: "s", email: emails[1] })
  },
  "upsert_lead_by_source_id suppressed": async ({ call }) =>
    call("PUT", "/leads/by/source_id/listed", { name: "n", source: "s", email: await listed(call) }),
  "upsert_lead_by_source_id leads_limit_reached": ({ full }) =>
    untilRefused(3, (i) => full("PUT", `/leads/by/source_id/s${i}`, { name: "n", source: "s" })),
  "upsert_lead_by_source_id storage_limit_reached": ({ stuffed }) =>
    stuffed("PUT", "/leads/by/source_id/s", { name: "n", source: "s" }),
  "enrich_lead suppressed": async ({ call }) =>
    call("POST", `/leads/${await made(call)}/enrichments`, {
      ...{ source: "s", fields: { email: await listed(call) } },
    }),
  "enrich_lead conflict": async ({ call }) => {
    const [id, taken] = [await made(call), `${crypto.randomUUID()}@example.com`]
    await made(call, { email: taken })
    return call("POST", `/leads/${id}/enrichments`, { source: "s", fields: { email: taken } })
  },
  "enrich_lead storage_limit_reached": async ({ stuffed, lead }) => {
    const fields = { description: "x".repeat(5_000) }
    return stuffed("POST", `/leads/${lead}/enrichments`, { source: "s", fields })
  },
  "create_retention_rule conflict": ({ busy }) =>
    untilRefused(50, (i) => busy("POST", "/retention-rules", { name: `${i}`, filter: [], days: 900 })),
  "revert_changes not_found": ({ call }) => call("POST", "/changes/revert", { batch_id: UNKNOWN }),
  "revert_changes conflict": async ({ call }) => {
    const lead_id = await made(call)
    return call("POST", "/changes/revert", { filter: { lead_id, since: 0 }, expect: 7 })
  },
  "stop_job conflict": async ({ call }) => {
    const { body } = await call("POST", "/leads/score/batch?background=true")
    await jobDone(call, body.job)
    return call("POST", `/jobs/${body.job}/stop`)
  },
  "update_duplicate conflict": async ({ call }) =>
    call("PATCH", `/duplicates/${await mergedPair(call)}`, { state: "dismissed" }),
  "dismiss_duplicate conflict": async ({ call }) =>
    call("POST", `/duplicates/${await mergedPair(call)}/dismiss`),
  "reopen_duplicate conflict": async ({ call }) =>
    call("POST", `/duplicates/${await mergedPair(call)}/reopen`),
  "merge_leads not_found": ({ call }) =>
    call("POST", "/leads/merge", { survivor: "cl_none", losers: ["cl_nobody"] }),
  "merge_leads conflict": async ({ call }) => {
    const taken = `${crypto.randomUUID()}@example.com`
    await made(call, { email: taken })
    const { first, second } = await two(call)
    return call("POST", "/leads/merge", { survivor: first, losers: [second], fields: { email: taken } })
  },
  "merge_leads suppressed": async ({ call }) => {
    const { first, second } = await two(call)
    const fields = { email: await listed(call) }
    return call("POST", "/leads/merge", { survivor: first, losers: [second], fields })
  },
  "merge_duplicates conflict": ({ call }) =>
    call("POST", "/duplicates/merge", { min_probability: 0.999, expect: 12_345 }),
  "undo_merge conflict": async ({ call }) => {
    const merge = await mergeOf(call)
    await call("POST", `/merges/${merge}/undo`)
    return call("POST", `/merges/${merge}/undo`)
  },
  "undo_merge suppressed": async ({ call }) => {
    const { first, second, emails } = await two(call)
    const { merge_id } = (await call("POST", "/leads/merge", { survivor: first, losers: [second] })).body
    await call("POST", "/suppressions", { value: emails[1] })
    return call("POST", `/merges/${merge_id}/undo`)
  },
  "undo_merge leads_limit_reached": async ({ full }) => {
    for (const { id } of (await full("GET", "/leads")).body.leads) await full("DELETE", `/leads/${id}`)
    const merge = await mergeOf(full)
    await made(full)
    return full("POST", `/merges/${merge}/undo`)
  },
  "bulk_leads conflict": ({ call }) =>
    call("POST", "/leads/bulk", { all: true, action: "delete", expect: 12_345 }),
  "create_note storage_limit_reached": ({ stuffed, lead }) =>
    stuffed("POST", `/leads/${lead}/notes`, { content: "c" }),
  "log_activity storage_limit_reached": ({ stuffed, lead }) =>
    stuffed("POST", `/leads/${lead}/activities`, { kind: "call", text: "c" }),
  "create_attribute conflict": async ({ call }) => {
    const lead = await made(call, { attributes: [{ name: "a", type: "number", value: 1 }] })
    return call("POST", `/leads/${lead}/attributes`, { name: "a", type: "number", value: 2 })
  },
  "create_attribute storage_limit_reached": async ({ stuffed, lead }) => {
    const value = "x".repeat(5_000)
    return stuffed("POST", `/leads/${lead}/attributes`, { name: "long", type: "text", value })
  },
  "update_attribute storage_limit_reached": async ({ stuffed, lead }) => {
    const path = `/leads/${lead}/attributes`
    const { body } = await stuffed("POST", path, { name: "short", type: "text", value: "x" })
    return stuffed("PUT", `${path}/${body.id}`, { value: "x".repeat(5_000) })
  },
  "create_scoring_rule conflict": ({ call }) =>
    untilRefused(200, (i) => call("POST", "/scoring-rules", { name: `${i}`, expression: "1" })),
  "preview_scoring_rule not_found": ({ call }) =>
    call("POST", "/scoring-rules/preview", { expression: "1", lead_id: "cl_none" }),
  "create_segment conflict": ({ call }) =>
    untilRefused(100, (i) => call("POST", "/segments", { name: `${i}` })),
  "create_stage conflict": ({ call }) =>
    untilRefused(100, (i) => call("POST", "/stages", { name: `Stage ${i}`, status: "new" })),
  "update_stage conflict": async ({ busy }) => {
    await busy("POST", "/stages", { name: "Demo", status: "new" })
    const { body } = await busy("POST", "/stages", { name: "Offer", status: "new" })
    return busy("PUT", `/stages/${body.id}`, { name: "demo" })
  },
  "set_lead_company not_found": ({ call }) =>
    call("POST", `/leads/cl_${UNKNOWN}/company`, { company_id: null }),
  "create_link conflict": async ({ busy }) => {
    const { body } = await busy("POST", "/segments", { name: "Shared" })
    const asked = { segment: body.id, fields: ["name"] }
    return untilRefused(100, () => busy("POST", "/links", asked))
  },
  "create_webhook conflict": ({ call }) =>
    untilRefused(100, (i) => call("POST", "/webhooks", { url: `http://127.0.0.1:9/${i}` })),
  "create_template conflict": ({ call }) => untilRefused(100, () => call("POST", "/templates", MAIL)),
  "render_template not_found": ({ call }) => call("GET", `/templates/tpl_none/render?lead_id=cl_none`),
  "render_template suppressed": async ({ busy }) => {
    const template = (await busy("POST", "/templates", MAIL)).body.id
    const lead = await made(busy, { email: "never@never.example" })
    await busy("POST", "/suppressions", { value: "never.example" })
    return busy("GET", `/templates/${template}/render?lead_id=${lead}`)
  },
  "create_form conflict": ({ call }) => untilRefused(100, (i) => call("POST", "/forms", { name: `${i}` })),
  "release_form_spam suppressed": async ({ call }) => {
    const { form, spam } = await spamFor(call)
    await call("POST", "/suppressions", { value: "spam@example.com" })
    return call("POST", `/forms/${form}/spam/${spam}/release`)
  },
  "release_form_spam leads_limit_reached": async ({ full }) => {
    const { form, spam } = await spamFor(full)
    await untilRefused(3, (i) => full("POST", "/leads", { name: `${i}`, source: "s" }))
    return full("POST", `/forms/${form}/spam/${spam}/release`)
  },
  "release_form_spam storage_limit_reached": async ({ stuffed }) => {
    const { form, spam } = await spamFor(stuffed)
    return stuffed("POST", `/forms/${form}/spam/${spam}/release`)
  },
  "test_webhook conflict": async ({ busy }) => busy("POST", `/webhooks/${await offWebhook(busy)}/test`),
  "retry_webhook_delivery conflict": async ({ busy }) =>
    busy("POST", `/webhooks/${await offWebhook(busy)}/deliveries/dlv_none/retry`),
  "retry_webhook_deliveries conflict": async ({ busy }) =>
    busy("POST", `/webhooks/${await offWebhook(busy)}/deliveries/retry`, { since: 0 }),
  "delete_api_key conflict": async ({ call }) => {
    const keys = (await call("GET", "/api-keys")).body as { id: string; role: string }[]
    return call("DELETE", `/api-keys/${keys.find(({ role }) => role === "owner")!.id}`)
  },
  "create_session unauthorized": ({ nobody }) => nobody("POST", "/sessions", { key: "ldb_wrong" }, SIGN_IN),
  "invite_member conflict": async ({ call }) => {
    await call("POST", "/members", { name: "Twice" })
    return call("POST", "/members", { name: "Twice" })
  },
  "read_invite unauthorized": ({ nobody }) =>
    nobody("POST", "/members/invite", { invite: "x".repeat(43) }, SIGN_IN),
  "accept_invite unauthorized": ({ nobody }) =>
    nobody("POST", "/members/join", { invite: "x".repeat(43), password: "long enough to be one" }, SIGN_IN),
}

/** Errors of an operation's own that take more than requests, and the tests that provoke them. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "list_account_changes cursor_expired": "test/store/trail-keep.test.ts",
  "list_leads cursor_expired": "test/cli/move.test.ts",
  "list_duplicates cursor_expired": "test/cli/move.test.ts",
  "list_lead_duplicates cursor_expired": "test/cli/move.test.ts",
  "import_leads file_too_costly": "test/worker/readers.test.ts",
  "delete_member conflict": "test/rest/members.test.ts",
}

/** Errors that come from the state of the service, not from a request: those tests make the state. */
const OF_STATE: ReadonlySet<ErrorKind> = new Set([
  "internal_error",
  "unavailable",
  "storage_full",
  "outcome_unknown",
])

const ROUTES = routesOf(operations).filter(({ isAlias }) => !isAlias)
type Route = (typeof ROUTES)[number]
const concrete = ({ path }: Route) => path.replaceAll(/\{\w+\}/g, UNKNOWN)
const hasBody = ({ method }: Route) => method !== "GET"
/** A file of 2 GiB is too much for a test; imports have one of their own with less. */
const takesBody = ({ operation: { example, upload } }: Route) =>
  Object.keys((example?.body ?? {}) as object).length > 0 && !upload

/** The example, which passes every check before the thing is looked for. */
function unknownInPath(route: Route): Promise<Answer> {
  const { example, access } = route.operation
  return world.call(
    route.method,
    concrete(route),
    hasBody(route) ? example?.body : undefined,
    access === "open" ? SIGN_IN : {},
  )
}

/** How errors are provoked that every route declares. */
const SHARED: Partial<Record<ErrorKind, (route: Route) => Promise<Answer>>> = {
  bad_request: (route) => world.call(route.method, `${concrete(route)}?no_such=1`, undefined, SIGN_IN),
  // An address may only fail so many times: every second route is asked for at another service.
  unauthorized: (route) =>
    (ROUTES.indexOf(route) % 2 === 0 ? world.nobody : another().as(""))(route.method, concrete(route)),
  async forbidden(route) {
    const { access } = route.operation
    if (access === "write" || access === "owner")
      return world.call(route.method, concrete(route), undefined, { "X-Member-Role": "viewer" })
    return world.call(route.method, concrete(route), undefined, { Origin: "https://evil.example" })
  },
  misdirected: (route) => world.call(route.method, concrete(route), undefined, { Host: "evil.example" }),
  async idempotency_key_reused(route) {
    const key = { "Idempotency-Key": "one for all" }
    await world.call("POST", "/leads", { name: "Once", source: "test" }, key)
    return world.call(route.method, `${concrete(route)}?`, hasBody(route) ? {} : undefined, key)
  },
  too_large({ method, operation, ...route }) {
    const tooMuch = " ".repeat((operation.bodyMax ?? 1024 * 1024) + 1)
    return world.call(method, concrete({ method, operation, ...route }), tooMuch, SIGN_IN)
  },
  rate_limit_exceeded: (route) => world.spent(route.method, concrete(route)),
}

describe.each(ROUTES.map((route) => [route.operation.name, route] as const))("%s", (name, route) => {
  const { operation, method } = route
  const own = new Set(operation.errors)
  beforeAll(() => service())

  test.each([...own])("answers %s", async (kind) => {
    const provoke = OWN[`${name} ${kind}`] ?? (kind === "not_found" ? () => unknownInPath(route) : undefined)
    if (ELSEWHERE[`${name} ${kind}`]) return expect(provoke).toBeUndefined()
    const { status, body } = await provoke!(world)
    expect({ status, code: body?.code }).toEqual(expected(kind))
  })

  const shared = declaredErrors(operation, method, takesBody(route)).filter(
    (kind) => !own.has(kind) && SHARED[kind],
  )
  test("answers the errors that it shares with others", async () => {
    for (const kind of shared) {
      if (operation.access === "open" && kind === "rate_limit_exceeded") continue
      const { status, body } = await SHARED[kind]!(route)
      expect({ kind, status, code: body?.code }).toEqual({ kind, ...expected(kind) })
    }
  })
})

function expected(kind: ErrorKind) {
  const error = new AppError(kind, "")
  return { status: error.status, code: error.toRest().code }
}

test("every error that operations declare is provoked here, or it is known where", () => {
  const kinds = new Set(ROUTES.flatMap(({ operation, method }) => declaredErrors(operation, method, true)))
  const known = new Set([...Object.keys(SHARED), ...OF_STATE, "not_found", "conflict"])
  for (const { operation } of ROUTES) for (const kind of operation.errors ?? []) known.add(kind)
  expect([...kinds].filter((kind) => !known.has(kind))).toEqual([])
})
