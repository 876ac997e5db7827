import {
  type CompleteRequestParams,
  type GetPromptResult,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server"
import { STATUSES } from "../../core/lead.ts"
import { excerpt } from "../../core/text.ts"

type Arguments = Readonly<Record<string, string>>

/** A common job, written out for an agent. */
interface Job {
  card: Prompt
  text(args: Arguments): string
  /** Values that arguments usually have, for completion. */
  usual: Readonly<Record<string, readonly string[]>>
}

const JOBS: readonly Job[] = [
  {
    card: {
      name: "qualify_leads",
      title: "Qualify new leads",
      description: "Judge the leads of a status and propose the next one for each",
      arguments: [
        { name: "status", description: "Which leads: new unless told" },
        { name: "criteria", description: "What a good lead is, in your words" },
      ],
    },
    usual: { status: STATUSES },
    text: ({ status = "new", criteria = "a complete contact, a fitting business and a high score" }) =>
      `Go through the leads with status ${status}: call list_leads with filter ["and.eq.status.${status}"], sort score, ` +
      "sort_order DESC, page by page, and list_notes where a lead is in doubt. " +
      `A good lead is: ${criteria}.\n` +
      "Show me a table: name, score, what speaks for and against it, and the status you propose. " +
      "When I agree, set the statuses with batch_update_leads, and give each lead a note with your reason by create_note.",
  },
  {
    card: {
      name: "find_duplicates",
      title: "Find duplicates",
      description: "Find leads that are probably the same and propose what to do",
      arguments: [{ name: "city", description: "Only leads of this city" }],
    },
    usual: {},
    text: ({ city }) =>
      `Find leads${city ? ` in ${city}` : ""} that are probably the same business or person. Call list_leads sorted by name` +
      `${city ? ` with filter ["and.eq.city.${city}"]` : ""}, page by page, and compare neighbours: similar names, same ` +
      "phone, website or address. Then do the same sorted by phone.\n" +
      "Show me each group with ids, what agrees and what differs, and which lead to keep. Change nothing until I agree; " +
      "then bring what is missing into the kept lead with update_lead and remove the others with batch_delete_leads.",
  },
  {
    card: {
      name: "weekly_report",
      title: "Weekly report",
      description: "Report what came in and what moved in the last days",
      arguments: [{ name: "days", description: "How many days back: 7 unless told" }],
    },
    usual: { days: ["7", "14", "30"] },
    text: ({ days = "7" }) =>
      `Write a report on the leads of the last ${days} days. Call get_stats, list_cities and list_categories for the ` +
      "overview. For the days in question call list_leads with and.gte.created_at.<ISO date> for what came in, and with " +
      "and.gte.updated_at.<ISO date> for what moved, sorted by score, sort_order DESC.\n" +
      "Give totals by source and status, the ten best new leads with a line on each, what became qualified or converted, " +
      "and three things worth doing next. Keep it to one page.",
  },
]

export const PROMPTS: Prompt[] = JOBS.map((job) => job.card)

/** A prompt with its arguments put in. Throws a ProtocolError that names the prompts there are. */
export function getPrompt(name: string, args: Arguments = {}): GetPromptResult {
  const job = getJob(name)
  const known = job.card.arguments?.map((argument) => argument.name) ?? []
  const given = Object.entries(args).filter(([key, value]) => known.includes(key) && value.trim() !== "")
  const text = job.text(Object.fromEntries(given))
  return { description: job.card.description!, messages: [{ role: "user", content: { type: "text", text } }] }
}

function getJob(name: string): Job {
  const job = JOBS.find(({ card }) => card.name === name)
  if (job) return job
  const valid = PROMPTS.map((prompt) => prompt.name).join(", ")
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Unknown prompt "${excerpt(name)}". Valid: ${valid}`,
  )
}

/** Usual values of a prompt's argument that begin with what is typed; none for ids, which are not worth guessing. */
export function complete({ ref, argument }: CompleteRequestParams): string[] {
  if (ref.type !== "ref/prompt") return []
  const usual = JOBS.find(({ card }) => card.name === ref.name)?.usual[argument.name] ?? []
  return usual.filter((value) => value.startsWith(argument.value.toLowerCase()))
}
