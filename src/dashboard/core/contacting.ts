// What was done with a lead: calls, emails and meetings, in the words of people.
import { post, put, remove } from "./api.ts"
import { t } from "./text.ts"
import { sayUndo } from "./toast.ts"
import type { Activity, Lead } from "./types.ts"

type Kind = Activity["kind"]
type Outcome = NonNullable<Activity["outcome"]>

export const KINDS: Readonly<Record<Kind, string>> = {
  call: t("Phone call"),
  email: t("Email"),
  meeting: t("Meeting"),
  other: t("Other contact"),
}
export const OUTCOMES: Readonly<Record<Outcome, string>> = {
  reached: t("Reached"),
  no_answer: t("No answer"),
  voicemail: t("Voicemail"),
  declined: t("Not interested"),
  booked: t("Meeting booked"),
}

export interface ContactChoice {
  /** Logs it after `c`. */
  key: string
  label: string
  kind: Kind
  outcome: Outcome | ""
}

/** What is logged most. */
export const CONTACT_CHOICES: readonly ContactChoice[] = [
  { key: "c", label: t("Phone call"), kind: "call", outcome: "reached" },
  { key: "n", label: t("No answer"), kind: "call", outcome: "no_answer" },
  { key: "v", label: t("Voicemail"), kind: "call", outcome: "voicemail" },
  { key: "m", label: t("Meeting"), kind: "meeting", outcome: "" },
  { key: "e", label: t("Email"), kind: "email", outcome: "" },
]

type Logged = Pick<Activity, "kind"> &
  Partial<Pick<Activity, "outcome" | "text"> & Pick<Lead, "next_step" | "next_step_at">>

/** Logs a contact with a lead as it is now, with the way back. Throws what the request throws. */
export async function logContact(lead: Lead, logged: Logged): Promise<void> {
  const { id } = await post<Activity>(`/leads/${lead.id}/activities`, logged)
  const { next_step = null, next_step_at = null } = lead
  const undo = async () => {
    await remove(`/activities/${id}`)
    if ("next_step" in logged || "next_step_at" in logged)
      await put(`/leads/${lead.id}`, { next_step, next_step_at })
  }
  sayUndo(t("{what} with {name} logged", { what: KINDS[logged.kind], name: lead.name }), undo)
}
