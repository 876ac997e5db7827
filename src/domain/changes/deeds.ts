// What a batch did, in words: the fields, their new values, and of how many leads.
import { LEAD_FIELDS, type LeadFieldName, leadField } from "../../lead/lead-fields.ts"
import type { DiffChange } from "../../store/contract/store.ts"
import { excerpt, fold } from "../../text/text.ts"
import type { Context } from "../operation.ts"

/** Lines that are said, the commonest first. */
const LINES = 10
/** Values of a field that are told apart. */
const VALUES = 3
const VALUE_MAX = 60
/** What follows from other changes. */
const FOLLOWS: ReadonlySet<string> = new Set([
  "score",
  "email_status",
  "last_contacted_at",
  "last_note_at",
  "note_count",
])

const DONE = { created: "created", merged: "merged into", deleted: "deleted" } as const

/** Counts what changes did. */
export class Deeds {
  /** By field, then by what became of it. */
  readonly #fields = new Map<string, Map<string, number>>()
  /** Set once not every change was counted. */
  isCut = false

  count({ action, diff }: Pick<DiffChange, "action" | "diff">): void {
    if (action !== "updated") this.#note("", DONE[action])
    else
      for (const [field, [before, after]] of Object.entries(diff)) {
        if (FOLLOWS.has(field) || isReadOnly(field)) continue
        for (const said of becameOf(before, after)) this.#note(field, said)
      }
  }

  #note(field: string, said: string): void {
    const all = this.#fields.get(field) ?? new Map<string, number>()
    this.#fields.set(field, all)
    all.set(said, (all.get(said) ?? 0) + 1)
  }

  /** Lines such as `status -> disqualified, 128`. */
  lines(): string[] {
    const more = this.isCut ? " or more" : ""
    return [...this.#fields]
      .flatMap(([field, all]): [string, number][] => {
        if (field !== "" && all.size > VALUES)
          return [[`${field} changed`, [...all.values()].reduce((sum, one) => sum + one, 0)]]
        return [...all].map(([said, many]) => [`${field} ${said}`.trim(), many])
      })
      .sort(([, a], [, b]) => b - a)
      .slice(0, LINES)
      .map(([said, many]) => `${said}, ${many}${more}`)
  }
}

function isReadOnly(field: string): boolean {
  return Object.hasOwn(LEAD_FIELDS, field) && leadField(field as LeadFieldName).readOnly === true
}

/** Of a list of texts, what came and went; of anything else the new value. */
function becameOf(before: unknown, after: unknown): string[] {
  if (!areTexts(before) || !areTexts(after)) return [`-> ${shown(after)}`]
  const [old, now] = [before.map(fold), after.map(fold)]
  return [
    ...after.filter((one) => !old.includes(fold(one))).map((one) => `+ ${shown(one)}`),
    ...before.filter((one) => !now.includes(fold(one))).map((one) => `- ${shown(one)}`),
  ]
}

const areTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === "string")

function shown(value: unknown): string {
  if (value === null || value === undefined || value === "") return "empty"
  return excerpt(typeof value === "string" ? value : JSON.stringify(value), VALUE_MAX)
}

/** Names of members and keys by their ids, for those who made changes. */
export async function actorNames({
  caller,
  store,
}: Pick<Context, "caller" | "store">): Promise<ReadonlyMap<string, string>> {
  const account = caller.account.key
  const [members, keys] = await Promise.all([
    store.read.members.list(account),
    store.read.apiKeys.list(account),
  ])
  return new Map([...members, ...keys].map(({ id, name }) => [id, name]))
}
