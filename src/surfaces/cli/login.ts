import * as v from "valibot"
import { ROLES } from "../../access/roles.ts"
import { issueLoginCode, LOGIN_CODE_LIFETIME } from "../../domain/access/login-codes.ts"
import { oneOf } from "../../lead/fields.ts"
import { systemClock, unixSeconds } from "../../runtime/clock.ts"
import { columns, json, when } from "./columns.ts"
import { command } from "./command.ts"
import { ADMIN, chooseAccount, existingPlace, withStore } from "./database.ts"
import { ACCOUNT } from "./keys.ts"

export const ROLE = {
  value: "ROLE",
  default: "owner",
  about: "its highest role: owner, editor, viewer",
  schema: v.pipe(v.string(), oneOf(ROLES)),
} as const

export const login = command({
  name: "login",
  about: "Make a one-time code for the sign-in pages of the dashboard and of AI clients",
  options: {
    account: ACCOUNT,
    role: ROLE,
    ...ADMIN,
  },
  examples: ["leaddb login --account Acme --role editor"],
  async run(io, { data, database, json: asJson, account: named, role }) {
    const now = unixSeconds(systemClock.now())
    const { account, code, expires_at } = await withStore(
      existingPlace({ data, database }),
      async (store) => {
        const account = await chooseAccount(store.read.accounts, named)
        return { account, ...(await issueLoginCode(store, { account: account.key, role }, now)) }
      },
    )
    const { id, name } = account
    if (asJson) {
      io.out(json({ code, account: { id, name }, role, expires_at }))
      return 0
    }
    const rows = [
      ["One-time code", code],
      ["Account", `${id} "${name}"`],
      ["Role", `${role} at most`],
      ["Good until", when(expires_at)],
    ]
    io.out(
      `${columns(rows)}\nType it into the sign-in page within ${LOGIN_CODE_LIFETIME / 60} minutes. It works once.\n`,
    )
    return 0
  },
})
