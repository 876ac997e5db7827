import * as v from "valibot"
import { whole } from "../../lead/fields.ts"
import { badRequest } from "../../runtime/errors.ts"
import type { AdminEntry } from "../../store/contract/store.ts"
import { columns, command, when } from "./command.ts"
import { flag, option } from "./config.ts"
import { ACCOUNT, ADMIN, chooseAccount, existingPlace, withReads } from "./database.ts"

const Limit = v.pipe(
  v.string(),
  v.regex(/^\d{1,4}$/, "must be a whole number"),
  v.transform(Number),
  whole(1, 1_000),
)

export const log = command({
  name: "log",
  about: "Show what was done to an account's keys, webhooks and plan, newest first",
  options: {
    account: ACCOUNT,
    deleted: flag("entries of deleted accounts, and of all accounts together"),
    limit: option("N", "how many entries, at most 1000", Limit, { default: "50" }),
    ...ADMIN,
  },
  examples: ["leaddb log --account Acme --limit 200"],
  run: ({ data, database, account: named, deleted, limit }) =>
    withReads(existingPlace({ data, database }), async ({ read }) => {
      if (deleted && named !== undefined) throw badRequest("--account and --deleted exclude each other")
      const account = deleted ? null : await chooseAccount(read.accounts, named)
      const { entries } = await read.adminLog.list(account?.key ?? null, { limit })
      return { json: { account: account?.id ?? null, entries }, text: table(entries) }
    }),
})

function table(entries: readonly AdminEntry[]): string {
  if (entries.length === 0) return "Nothing yet.\n"
  const rows = entries.map(({ created_at, action, key_id, actor_id, target_id, details }) => [
    when(created_at),
    action,
    [key_id ?? "command line", actor_id].filter((who) => who !== null).join(" for "),
    target_id ?? "-",
    Object.entries(details)
      .map(([name, value]) => `${name}=${value}`)
      .join(" "),
  ])
  return columns([["TIME", "WHAT", "BY", "ON", "DETAILS"], ...rows])
}
