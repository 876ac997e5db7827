import { issueLinkCode } from "../../domain/access/login-codes.ts"
import { appUrl } from "../../runtime/app-url.ts"
import { systemClock, unixSeconds } from "../../runtime/clock.ts"
import { json } from "./columns.ts"
import { command } from "./command.ts"
import { OPTIONS } from "./config.ts"
import { ADMIN, chooseAccount, existingPlace, withStore } from "./database.ts"
import { ACCOUNT } from "./keys.ts"
import { ROLE } from "./login.ts"

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
