import * as v from "valibot"
import { COMMAND_LINE, recordAdmin } from "../../domain/access/admin-log.ts"
import { systemClock, unixSeconds } from "../../runtime/clock.ts"
import { badRequest } from "../../runtime/errors.ts"
import type { AccountRow, Store } from "../../store/contract/store.ts"
import { json } from "./columns.ts"
import { command } from "./command.ts"
import { ADMIN, chooseAccount, existingPlace, Switch, withStore } from "./database.ts"

const Named = v.optional(v.string())

export const deleteAccount = command({
  name: "accounts delete",
  about: "Delete an account with everything in it, for good",
  options: {
    account: { value: "ID", about: "the account's id", schema: Named },
    name: { value: "NAME", about: "in place of the id: its name, if no other has it", schema: Named },
    confirm: { about: "confirm the deletion", schema: Switch },
    ...ADMIN,
  },
  examples: ["leaddb accounts delete --account acc_01978f0e-7a1c-7c2b-9b1d-3f6f0a2b4c5d --confirm"],
  async run(io, { data, database, json: asJson, account: id, name, confirm }) {
    const named = id ?? name
    if (named === undefined || (id !== undefined && name !== undefined)) {
      throw badRequest(
        "say which account: either --account ID or --name NAME; leaddb accounts list shows them",
      )
    }
    const gone = await withStore(existingPlace({ data, database }), async (store) => {
      const account = await chooseAccount(store.read.accounts, named)
      if (!confirm) {
        throw badRequest(
          `this deletes account "${account.name}" (${account.id}) with its ${account.leads} leads, their trail, keys and ` +
            "webhooks, and nothing brings it back but a backup: add --confirm to do it",
        )
      }
      await removeAccount(store, account)
      return account
    })
    if (asJson) io.out(json({ deleted: { id: gone.id, name: gone.name, leads: gone.leads } }))
    else io.out(`Deleted ${gone.name} (${gone.id}) with ${gone.leads} leads.\n`)
    return 0
  },
})

/** Deletes in steps, so that a running service keeps answering other accounts; an interrupted deletion is repeated. */
async function removeAccount(store: Store, { key, id, leads }: AccountRow): Promise<void> {
  const step = () =>
    store.writeAcross(async (tx) => {
      const more = await tx.accounts.remove(key)
      if (more) return true
      const now = unixSeconds(systemClock.now())
      // Log only the id; the name must not survive deletion.
      const noted = { by: COMMAND_LINE, now, target: id, details: { leads } }
      await recordAdmin(tx, key, "account.deleted", noted)
      return false
    })
  while (await step());
}
