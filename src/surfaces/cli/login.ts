import { ROLES } from "../../access/rights.ts"
import { issueLinkCode, issueLoginCode, LOGIN_CODE_LIFETIME } from "../../domain/access/login-codes.ts"
import { appUrl } from "../../runtime/paths.ts"
import { columns, command, when } from "./command.ts"
import { choice, OPTIONS, option } from "./config.ts"
import { ACCOUNT, ADMIN, withAccount } from "./database.ts"

const ROLE = option("ROLE", "its highest role: owner, editor, viewer", choice(ROLES), { default: "owner" })

export const login = command({
  name: "login",
  about: "Make a one-time code for the sign-in pages of the dashboard and of AI clients",
  options: {
    account: ACCOUNT,
    role: ROLE,
    ...ADMIN,
  },
  examples: ["leaddb login --account Acme --role editor"],
  async run({ role, ...where }) {
    const made = await withAccount(where, async ({ id, name, key }, store, now) => ({
      account: { id, name },
      ...(await issueLoginCode(store, { account: key, role }, now)),
    }))
    const { account, code, expires_at } = made
    const rows = [
      ["One-time code", code],
      ["Account", `${account.id} "${account.name}"`],
      ["Role", `${role} at most`],
      ["Good until", when(expires_at)],
    ]
    return {
      json: { code, account, role, expires_at },
      text: `${columns(rows)}\nType it into the sign-in page within ${LOGIN_CODE_LIFETIME / 60} minutes. It works once.\n`,
    }
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
  async run({ role, port, publicUrl, ...where }) {
    const code = await withAccount(where, async ({ key }, store, now) => {
      const { code, kept } = issueLinkCode(store, { account: key, role }, now)
      await kept
      return code
    })
    const url = appUrl(publicUrl, port, code)
    return { json: { url, code }, text: `${url}\n` }
  },
})
