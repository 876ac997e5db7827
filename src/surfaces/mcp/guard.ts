// Calls in two steps: the first shows what a call would do and gives a plan, the same call with the plan does it.

import {
  type ElicitRequestFormParams,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
} from "@modelcontextprotocol/server"
import * as v from "valibot"
import type { LeadPreview } from "../../domain/leads/bulk/preview.ts"
import {
  type Caller,
  checked,
  contextOf,
  execute,
  type Operation,
  type Services,
} from "../../domain/operation.ts"
import { isObject } from "../../lead/parse.ts"
import { AppError, badRequest } from "../../runtime/errors.ts"
import { JsonText } from "../../text/json-text.ts"
import { excerpt } from "../../text/text.ts"
import type { Tool } from "./tools.ts"

/** Seconds in which a plan can be carried out. */
const LIFETIME_S = 600
/** Leads that a guarded client may write to without a plan. */
const FEW = 50
/** Things that a plan shows. */
const SAMPLE = 5

type Arguments = Readonly<Record<string, unknown>>

/** Stored plan. */
const KeptPlan = v.strictObject({ matched: v.number() })

/** The answer of the first step. */
interface PlanAnswer {
  matched: number
  sample: readonly unknown[]
  /** Some leads before and after, field by field. */
  preview?: readonly LeadPreview[]
  /** How many leads would lose which tags. */
  tags_lost?: Readonly<Record<string, number>>
  plan: string
  expires_in: number
  message: string
}

interface GuardedCall {
  services: Services
  tool: Tool
  caller: Caller
  /** Without `plan` and `confirm`. */
  input: Arguments
  /** The plan that is to be carried out. */
  plan: unknown
  isGuarded: boolean
}

/**
 * Makes the plan that a call needs first, as its answer; else returns the input with which to carry it out, which the plan
 * of a second step narrows to what was shown. Throws what the call would throw for a wrong input, and for a plan that does
 * not fit.
 */
export async function planCall(call: GuardedCall): Promise<{ answer: PlanAnswer } | { input: Arguments }> {
  const { tool, input, plan } = call
  if (plan !== undefined) return { input: await redeemPlan(call, plan) }
  const need = input.dry_run === true ? undefined : tool.guardOf(input, call.isGuarded)
  if (!need) return { input }
  const shown = await previewOf(call)
  if (need === "many" && shown.matched <= FEW) return { input }
  const { services, caller } = call
  const id = `pl_${Buffer.from(crypto.getRandomValues(new Uint8Array(18))).toString("base64url")}`
  const record = {
    request: fingerprint(call),
    answer: Buffer.from(JSON.stringify({ matched: shown.matched })),
  }
  const created_at = Math.floor(services.clock.now() / 1000)
  await services.store.write(caller.account.key, (tx) =>
    tx.idempotency.put(caller.account.key, keyOf(id), { ...record, created_at }),
  )
  const message = `Nothing was done yet. Show this to the user; if they agree, make the same call with "plan": "${id}"`
  return { answer: { ...shown, plan: id, expires_in: LIFETIME_S, message } }
}

/** Deletes a plan that the user did not agree to. */
export async function withdrawPlan(services: Services, { account }: Caller, plan: string): Promise<void> {
  await services.store.write(account.key, (tx) => tx.idempotency.remove(account.key, keyOf(plan)))
}

/** The input of a plan's call, which must find as much as the plan showed. Throws `bad_request` and `conflict`. */
async function redeemPlan(call: GuardedCall, plan: unknown): Promise<Arguments> {
  const { services, caller, tool, input } = call
  if (typeof plan !== "string") throw badRequest("plan must be text: the plan of the first call")
  await checked(tool.operation, contextOf(services, caller), input)
  const since = Math.floor(services.clock.now() / 1000) - LIFETIME_S
  const account = caller.account.key
  const plannedCall = await services.store.write(account, async (tx) => {
    const record = await tx.idempotency.find(account, keyOf(plan), since)
    if (!record?.answer?.length)
      throw badRequest(
        "plan is not known: it was carried out, is older than 10 minutes, or is another key's. Call without plan to see anew",
      )
    if (!Buffer.from(record.request).equals(fingerprint(call)))
      throw badRequest("plan is for other arguments: make exactly the call that gave it, with plan added")
    await tx.idempotency.remove(account, keyOf(plan))
    return record.answer
  })
  const { matched } = v.parse(KeptPlan, JSON.parse(Buffer.from(plannedCall).toString()))
  return fixMatched(call, matched)
}

/** Fixes the number of leads: by `expect` where the tool takes it, else by counting again. */
async function fixMatched(call: GuardedCall, matched: number): Promise<Arguments> {
  const { tool, input } = call
  if (tool.takesExpect) return { expect: matched, ...input }
  if (!tool.operation.tool?.preview) return input
  const now = (await previewOf(call)).matched
  if (now !== matched)
    throw new AppError(
      "conflict",
      `The plan was for ${matched}, and now it would be ${now}: nothing was done`,
    )
  return input
}

/** How much a call is about, with some of it. Throws what the call would throw for a wrong input. */
async function previewOf({ services, tool, caller, input }: GuardedCall) {
  const { operation } = tool
  const ctx = contextOf(services, caller)
  const parsed = await checked(operation, ctx, input)
  const preview = operation.tool?.preview
  if (preview) {
    const { sample, ...numbers } = await preview(ctx, parsed)
    return { ...numbers, sample: sample.slice(0, SAMPLE) }
  }
  if (!tool.takesDryRun) return { matched: 1, sample: [withoutSecret(input)] }
  const answer = await execute(services, operation, caller, { ...input, dry_run: true })
  return dryRunOf(answer instanceof JsonText ? JSON.parse(answer.text) : answer, operation)
}

function withoutSecret({ secret: _, ...shown }: Arguments): Arguments {
  return shown
}

/** The answer of a dry run with its number and its sample. */
function dryRunOf(body: unknown, { name }: Operation) {
  if (!isObject(body)) throw new Error(`the dry run of ${name} is no object`)
  const { dry_run: _, ...shown } = body
  const count = (value: unknown) => (Array.isArray(value) ? value.length : Number(value ?? 0))
  const matched = count(body.matched ?? body.losers ?? body.pairs) || count(body.created) + count(body.merged)
  const sample = Array.isArray(body.sample) ? body.sample : []
  return { ...shown, matched, sample }
}

const keyOf = (id: string) => Bun.SHA256.hash(`plan ${id}`) as Uint8Array

/** Hash that binds a plan to the key, the tool and its arguments. */
function fingerprint({ tool, caller, input }: GuardedCall): Uint8Array {
  return Bun.SHA256.hash(JSON.stringify([caller.keyId, tool.card.name, sorted(input)])) as Uint8Array
}

/** Sorts the members of objects by name, so that their order does not matter. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, sorted(value[name])]),
  )
}

// Asks the user of a client before harm, in place of a plan, where the client can ask.

/** The name of the question among those of a call; there is no other. */
export const QUESTION = "confirm"
/** Characters of an argument, and arguments, that a question shows. */
const VALUE_MAX = 200
const VALUES_MAX = 10
/** Examples that a question names. */
const EXAMPLES_MAX = 3

/** The user's answer to a question, with the plan that it was about. */
export interface Reply {
  plan: string
  action: "accept" | "decline" | "cancel"
}

/** The question in place of a plan. The plan travels as the state of the request, so no process keeps the question. */
export function questionFor(
  { card }: Tool,
  input: Readonly<Record<string, unknown>>,
  { plan, matched, sample, preview, tags_lost = {} }: PlanAnswer,
): InputRequiredResult {
  const message = [
    `${card.title}: ${matched} in all. Go ahead?`,
    ...(preview?.map(previewLine) ?? examplesOf(sample)),
    ...lostLines(tags_lost),
    ...Object.entries(input)
      .filter(([name, value]) => name !== "secret" && name !== "password" && value !== undefined)
      .slice(0, VALUES_MAX)
      .map(([name, value]) => `${name}: ${oneLine(value)}`),
  ].join("\n")
  const requestedSchema = { type: "object", properties: {} } as const
  return inputRequired({
    inputRequests: { [QUESTION]: inputRequired.elicit({ message, requestedSchema }) },
    requestState: plan,
  })
}

/** How long a user has to answer, in milliseconds: as long as the plan of the question holds. */
export const QUESTION_MS = 600_000

/** The question of a call, as the older protocols ask it. */
export function questionIn({ inputRequests }: InputRequiredResult): ElicitRequestFormParams {
  const request: unknown = inputRequests?.[QUESTION]
  const { message, requestedSchema } = isObject(request) && isObject(request.params) ? request.params : {}
  return { message, requestedSchema } as ElicitRequestFormParams
}

/** The answer that a repeated call carries; undefined for a first call. */
export function replyIn(responses: unknown, state: unknown): Reply | undefined {
  if (typeof state !== "string" || !isObject(responses)) return undefined
  const response = inputResponse(responses as Parameters<typeof inputResponse>[0], QUESTION)
  if (response.kind !== "elicit") return undefined
  const isRefused = response.content?.[QUESTION] === false
  return { plan: state, action: isRefused ? "decline" : response.action }
}

/** The answer of a call that the user did not allow. */
export function notAllowed(name: string, { action }: Reply): AppError {
  const what = action === "decline" ? "The user declined" : "The user cancelled the question"
  return new AppError(
    "confirmation_required",
    `${what}: nothing was done. Call ${name} again only if the user asks for it`,
  )
}

/** A lead before and after: `"Acme": city "Bonn" -> "Ulm"`. */
function previewLine({ name, changes = {}, message }: LeadPreview): string {
  const said = Object.entries(changes)
    .slice(0, VALUES_MAX)
    .map(([field, [before, after]]) => `${field} ${oneLine(before)} -> ${oneLine(after)}`)
  return `${oneLine(name)}: ${message ?? (said.join(", ") || "stays as it is")}`
}

function lostLines(lost: Readonly<Record<string, number>>): string[] {
  const tags = Object.entries(lost).slice(0, VALUES_MAX)
  const said = tags.map(([tag, leads]) => `${oneLine(tag)} (${leads})`)
  return said.length > 0 ? [`Leads lose tags: ${said.join(", ")}`] : []
}

function examplesOf(sample: readonly unknown[]): string[] {
  const names = sample.flatMap((one) => (isObject(one) && typeof one.name === "string" ? [one.name] : []))
  const shown = names.slice(0, EXAMPLES_MAX).map((name) => oneLine(name))
  return shown.length > 0 ? [`Such as ${shown.join(", ")}`] : []
}

/** A value on one line: texts of leads cannot add lines to a question. */
function oneLine(value: unknown): string {
  return excerpt(JSON.stringify(value) ?? "", VALUE_MAX)
}
