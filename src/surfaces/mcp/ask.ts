// Asks the user behind a client before harm, in place of a plan, where the client can ask.
import {
  type ElicitRequestFormParams,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
} from "@modelcontextprotocol/server"
import type { LeadPreview } from "../../domain/leads/bulk/preview.ts"
import { isObject } from "../../lead/parse.ts"
import { AppError } from "../../runtime/errors.ts"
import { excerpt } from "../../text/text.ts"
import type { PlanAnswer } from "./guard.ts"
import type { Tool } from "./tools.ts"

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
