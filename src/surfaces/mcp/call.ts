import { type CallToolResult, type InputRequiredResult, ProtocolError } from "@modelcontextprotocol/server"
import { typeOf } from "../../domain/leads/write/change-lead.ts"
import { type Caller, execute, NOBODY, type Operation, type Services } from "../../domain/operation.ts"
import { isObject } from "../../lead/parse.ts"
import { AppError, asAppError } from "../../runtime/errors.ts"
import type { Log } from "../../runtime/log.ts"
import type { RateLimit } from "../http/limits.ts"
import { bareResult, errorResult, toolResult } from "./answer.ts"
import { type Lacks, unknownTool } from "./errors.ts"
import { finderCards, findTools, usedTool } from "./find.ts"
import { notAllowed, planCall, questionFor, type Reply, withdrawPlan } from "./guard.ts"
import { awaitJob, jobBegunBy, type ProgressListener, taskHandle } from "./jobs.ts"
import { pageUri } from "./pages/pages.ts"
import type { ObjectSchema, ToolSchema } from "./schema.ts"
import {
  FIND_TOOL,
  isChosen,
  isGuarded,
  isInView,
  isWayOut,
  makeTools,
  mayCall,
  nameTools,
  reachesAll,
  type Tool,
  type ToolCard,
  USE_TOOL,
  type View,
  wholeView,
} from "./tools.ts"
import { type Abilities, countRequest, type Mcp, NO_ABILITIES, type ToolVisit } from "./visit.ts"

/** Bytes of a request for a tool that does not say otherwise, as over REST. */
const BODY_MAX = 1024 * 1024

/** A call of a tool. */
export interface ToolCall {
  name: string
  args: object
  /** Abilities of the client. */
  abilities?: Abilities
  /** Answers of the user to the question that the same call got before. */
  reply?: Reply | undefined
  /** Aborted when the call is cancelled or its client goes away. */
  cancelled?: AbortSignal | undefined
  /** Told how far longer work is, for a client that asked for it. */
  progressed?: ProgressListener
}

/** What a call is answered with: its result, a question to the user, or the task that will have the result. */
export type CallAnswer = CallToolResult | InputRequiredResult | Awaited<ReturnType<typeof taskHandle>>

export function makeMcp(parts: {
  services: Services
  operations: readonly Operation[]
  rateLimit: RateLimit
  log: Log
}): Mcp {
  const { services, operations, rateLimit, log } = parts
  return { services, rateLimit, log, tools: makeTools(operations), known: nameTools(operations) }
}

/** The tools of a visit, as far as who makes it may call them. */
export async function listTools(
  mcp: Mcp,
  { view, caller }: ToolVisit,
  { showsPages }: Abilities = NO_ABILITIES,
): Promise<{ tools: ToolCard[] }> {
  const cards = cardsIn(mcp, view, await caller)
  const shown = showsPages ? cards.map((card) => withPage(mcp, card)) : cards
  return { tools: view.finds ? [...finderCards(view.isReadOnly), ...shown] : shown }
}

/** A card with the page that shows the tool's answers, where there is one. */
function withPage({ tools }: Mcp, card: ToolCard): ToolCard {
  const page = tools.get(card.name)?.operation.tool?.page
  return page === undefined ? card : { ...card, _meta: { ui: { resourceUri: pageUri(page) } } }
}

/** The tools of a view that a caller may call. */
function cardsIn({ tools }: Mcp, view: View, caller: Caller): ToolCard[] {
  const shown = [...tools.values()].filter((tool) => isInView(tool, view) && mayCall(tool, caller))
  const asks = isGuarded(view, caller)
  return shown.map((tool) => cardIn(tool, view, asks))
}

/** A tool as the clients of a view read it. */
function cardIn({ operation, card, guardedCard }: Tool, { isSafe }: View, asks: boolean): ToolCard {
  const ownCard = asks ? guardedCard : card
  const wayOut = operation.tool?.wayOut
  if (!isSafe || wayOut === undefined) return ownCard
  const { [wayOut]: _, ...properties } = ownCard.inputSchema.properties
  return { ...ownCard, inputSchema: { ...ownCard.inputSchema, properties } }
}

/**
 * Calls a tool. It counts as one request of the account; then confirmation is asked for before anything else about
 * the call. What goes wrong is the answer; only an unknown tool is thrown, as a ProtocolError. Where the client can ask
 * its user, a call that needs a plan is answered with a question; the same call with the reply goes on.
 */
export async function callTool(mcp: Mcp, visit: ToolVisit, call: ToolCall): Promise<CallAnswer> {
  try {
    await countRequest(mcp, visit)
    const { view } = visit
    if (!reachesAll(view) || (call.name !== FIND_TOOL && call.name !== USE_TOOL))
      return await answerOf(mcp, visit, view, call)
    const whole = wholeView(view, mcp.known)
    if (call.name === USE_TOOL)
      return await answerOf(mcp, visit, whole, { ...call, ...usedTool([...mcp.tools.keys()], call.args) })
    return bareResult({ data: findTools(cardsIn(mcp, whole, await visit.caller), call.args) })
  } catch (thrown) {
    if (thrown instanceof ProtocolError) throw thrown
    const error = asAppError(thrown)
    if (error.status >= 500) mcp.log.error(error.message, { tool: call.name }, thrown)
    return errorResult(error, await lackedBy(mcp, visit))
  }
}

/** Tells which tools a client does not see: messages name others. */
async function lackedBy({ tools, known }: Mcp, { view, caller }: ToolVisit): Promise<Lacks> {
  const asker = await Promise.resolve(caller).catch(() => NOBODY)
  const reached = view.finds ? wholeView(view, known) : view
  return (name) => {
    const tool = tools.get(name)
    return tool !== undefined && !(isInView(tool, reached) && mayCall(tool, asker))
  }
}

/** Calls a tool of a view. Throws what goes wrong. */
async function answerOf(
  mcp: Mcp,
  visit: ToolVisit,
  view: View,
  { name, args, abilities = NO_ABILITIES, reply, cancelled, progressed }: ToolCall,
): Promise<CallAnswer> {
  const tool = toolOf(mcp, view, name)
  const caller = await visit.caller
  const asks = isGuarded(view, caller)
  const sent = tidyArguments(tool, args as Readonly<Record<string, unknown>>)
  const { plan, ...rest } = tool.isGuardable ? (sent as { plan?: unknown }) : { plan: undefined, ...sent }
  const given = tool.deletes ? confirmed(tool, rest, asks) : rest
  refuseLarge(tool.operation, visit.bytes)
  refuseWayOut(tool, view, given)
  if (reply && reply.action !== "accept") {
    await withdrawPlan(mcp.services, caller, reply.plan)
    throw notAllowed(name, reply)
  }
  const input = given as Readonly<Record<string, unknown>>
  const call = { services: mcp.services, tool, caller, input, isGuarded: asks }
  const step = await planCall({ ...call, plan: reply ? reply.plan : plan })
  if ("answer" in step && abilities.asksUser) return questionFor(tool, input, step.answer)
  if ("answer" in step) return await toolResult(step.answer, given, undefined, tool.operation)
  const begun = await execute(mcp.services, tool.operation, withRequests(caller, visit), step.input)
  const job = abilities.followsTasks ? jobBegunBy(begun) : undefined
  if (job !== undefined) return taskHandle(mcp.services, caller, job)
  const answer = await awaitJob(mcp.services, caller, begun, { cancelled, progressed })
  return tool.operation.tool?.bare
    ? bareResult(answer)
    : await toolResult(answer, given, visit.splices, tool.operation)
}

/** A tool of a view. Throws a ProtocolError for one that is not there, `forbidden` for one that a view leaves out. */
function toolOf({ tools }: Mcp, view: View, name: string): Tool {
  const tool = tools.get(name)
  if (tool && isInView(tool, view)) return tool
  if (tool && isWayOut(tool, view))
    throw new AppError(
      "forbidden",
      `${name} can send data elsewhere, and this connection has the preset safe`,
    )
  if (tool && isChosen(tool, view))
    throw new AppError("forbidden", `${name} changes data, and this connection is read_only`)
  const names = [...tools.values()].filter((one) => isInView(one, view)).map(({ card }) => card.name)
  throw unknownTool(name, names, view.exclude.has(name) ? undefined : tool?.toolset, reachesAll(view))
}

/** The caller with what is left of its account's requests, by the headers of this one. */
function withRequests(caller: Caller, { headers }: ToolVisit): Caller {
  const [limit, left, resets_at] = ["Limit", "Remaining", "Reset"].map(
    (name) => headers[`X-RateLimit-${name}`],
  )
  if (limit === undefined || left === undefined || resets_at === undefined) return caller
  return { ...caller, requests: { limit: Number(limit), left: Number(left), resets_at: Number(resets_at) } }
}

/**
 * The arguments without `confirm`. Throws `confirmation_required` unless it is true, a plan confirms, or nothing would be
 * deleted.
 */
function confirmed(
  { needsConfirm, card: { name } }: Tool,
  args: { confirm?: unknown; dry_run?: unknown },
  asks: boolean,
): object {
  const { confirm, ...input } = args
  if (confirm === true || args.dry_run === true || asks || !needsConfirm) return input
  const message = `${name} deletes data: once the user agrees, call it again with confirm: true`
  throw new AppError("confirmation_required", message)
}

function refuseWayOut({ operation, card }: Tool, { isSafe }: View, input: object): void {
  const wayOut = operation.tool?.wayOut
  if (!isSafe || wayOut === undefined || !Object.hasOwn(input, wayOut)) return
  const message = `${card.name} with ${wayOut} makes a link to data, and this connection has the preset safe`
  throw new AppError("forbidden", message)
}

function refuseLarge({ bodyMax = BODY_MAX }: Operation, bytes: number): void {
  if (bytes <= bodyMax) return
  throw new AppError(
    "too_large",
    `The request is larger than ${bodyMax / 1024 / 1024} MiB; send less at a time`,
  )
}

// Arguments as agents send them, which often differ in form from what a schema says and not in what they mean.

type Arguments = Readonly<Record<string, unknown>>

/**
 * One text where a list of texts is taken is a list of it, attributes by name are a list of them where that is taken, and
 * nothing or an empty text in an optional argument of a tool that reads is the argument left out. A lead is `id` or `lead_id`,
 * and `-rating` sorts by the largest first.
 */
function tidyArguments({ card, operation }: Tool, args: Arguments): Arguments {
  const { inputSchema, annotations } = card
  const tidy = sorted(inputSchema, tidied(inputSchema, named(inputSchema, args), annotations.readOnlyHint))
  if (operation.name === "update_lead") return withoutSaid(tidy)
  if (operation.name === "create_lead") return typed(tidy) as Arguments
  return operation.name === "batch_create_leads" && Array.isArray(tidy.leads)
    ? { ...tidy, leads: tidy.leads.map(typed) }
    : tidy
}

function tidied({ properties = {}, required = [] }: ToolSchema, args: Arguments, reads = false): Arguments {
  let tidy: Record<string, unknown> | undefined
  for (const name in args) {
    const value = args[name]
    const isNothing = reads && (value === null || value === "") && !required.includes(name)
    const formed = isNothing && name in properties ? undefined : inForm(name, value, properties[name])
    if (formed === value) continue
    tidy ??= { ...args }
    if (formed === undefined) delete tidy[name]
    else tidy[name] = formed
  }
  return tidy ?? args
}

/** Texts of a lead that are lists, where a schema does not name them. */
const LISTS = ["tags", "add_tags", "remove_tags"]

function inForm(name: string, value: unknown, schema: ToolSchema | undefined): unknown {
  if (typeof value === "string")
    return (schema ? schema.items?.type === "string" : LISTS.includes(name)) ? [value] : value
  if (isObject(value)) return schema?.type === "object" ? tidied(schema, value) : value
  const { items } = schema ?? {}
  if (!Array.isArray(value) || !items?.properties) return value
  return value.map((one) => (isObject(one) ? tidied(items, one) : one))
}

/** A lead by the name that the tool has for it. */
function named({ properties }: ObjectSchema, args: Arguments): Arguments {
  const { id, lead_id, ...rest } = args
  if (id === undefined && lead_id !== undefined && !properties.lead_id && properties.id?.description === LEAD)
    return { ...rest, id: lead_id }
  return lead_id === undefined && id !== undefined && !properties.id && properties.lead_id
    ? { ...rest, lead_id: id }
    : args
}

const LEAD = "Lead id"

function sorted({ properties }: ObjectSchema, args: Arguments): Arguments {
  const { sort, sort_order } = args
  const isLargestFirst = typeof sort === "string" && sort.startsWith("-") && sort_order === undefined
  return isLargestFirst && properties.sort_order ? { ...args, sort: sort.slice(1), sort_order: "DESC" } : args
}

/** A lead that was read can be sent back: without what tools say beside it. */
function withoutSaid(lead: Arguments): Arguments {
  if (!("contactable" in lead || "suppressed" in lead)) return lead
  const { contactable, suppressed, ...rest } = lead
  return rest
}

/** A new lead whose attributes have types: by their values, where none are said. */
function typed(sent: unknown): unknown {
  if (!isObject(sent)) return sent
  const lead = withoutSaid(sent as Arguments)
  const { attributes } = lead
  if (isObject(attributes)) return { ...lead, attributes: listOf(attributes) }
  if (!Array.isArray(attributes)) return lead
  const isUntyped = (one: unknown): one is Arguments =>
    isObject(one) && one.type === undefined && "value" in one
  if (!attributes.some(isUntyped)) return lead
  return {
    ...lead,
    attributes: attributes.map((one) => (isUntyped(one) ? { ...one, type: typeOf(one.value) } : one)),
  }
}

function listOf(values: Arguments): object[] {
  return Object.entries(values)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => ({ name, type: typeOf(value), value }))
}
