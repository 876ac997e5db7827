import * as v from "valibot"
import { ROLES } from "../../access/roles.ts"
import { issueLinkCode, issueLoginCode, LOGIN_CODE_LIFETIME } from "../../domain/access/login-codes.ts"
import { oneOf } from "../../lead/fields.ts"
import { appUrl } from "../../runtime/app-url.ts"
import { systemClock, unixSeconds } from "../../runtime/clock.ts"
import { columns, command, json, when } from "./command.ts"
import { OPTIONS } from "./config.ts"
import { ADMIN, chooseAccount, existingPlace, withStore } from "./database.ts"
import { ACCOUNT } from "./keys.ts"

const ROLE = {
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

export const open = command({
  name: "open",
  about: "Print a link to the dashboard that signs in once, within 10 minutes",
  options: {
    account: ACCOUNT,
    role: ROLE,
    port: OPTIONS.port,
    publicUrl: OPTIONS.publicUrl,
    ...ADMIN,
  },
  examples: ["leaddb open --data /var/lib/leaddb"],
  async run(io, { data, database, json: asJson, account: named, role, port, publicUrl }) {
    const now = unixSeconds(systemClock.now())
    const code = await withStore(existingPlace({ data, database }), async (store) => {
      const account = await chooseAccount(store.read.accounts, named)
      const { code, kept } = issueLinkCode(store, { account: account.key, role }, now)
      await kept
      return code
    })
    const url = appUrl(publicUrl, port, code)
    io.out(asJson ? json({ url, code }) : `${url}\n`)
    return 0
  },
})
