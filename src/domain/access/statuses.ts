// Names, order and colours of an account's statuses. The API keeps speaking the five values.
import * as v from "valibot"
import { described, named } from "../../lead/described.ts"
import { oneOf, RequiredLine, whole } from "../../lead/fields.ts"
import type { Json } from "../../lead/lead.ts"
import { STATUSES } from "../../lead/lead.ts"
import { badRequest } from "../../runtime/errors.ts"
import type { AccountReads } from "../../store/contract/store.ts"
import { Color } from "../../text/color.ts"
import { operation } from "../operation.ts"
import { recordByCaller } from "./admin-log.ts"

const LABEL_MAX = 40

const Entry = v.strictObject({
  value: oneOf(STATUSES),
  label: v.pipe(RequiredLine, v.maxLength(LABEL_MAX, `must be at most ${LABEL_MAX} characters`)),
  color: v.optional(Color),
  position: v.optional(whole(0, 99)),
})

const StatusLabel = named(
  "StatusLabel",
  v.strictObject({ value: oneOf(STATUSES), label: v.string(), color: v.string(), position: whole(0) }),
  {
    value: "The status as the API knows it.",
    label: "Its name on screens.",
    color: "A colour's name, or `#rrggbb`.",
    position: "Its place in lists, from 0.",
  },
)
type StatusLabel = v.InferOutput<typeof StatusLabel>

const USUAL: Readonly<Record<(typeof STATUSES)[number], readonly [label: string, color: string]>> = {
  new: ["New", "blue"],
  contacted: ["Contacted", "violet"],
  qualified: ["Qualified", "teal"],
  disqualified: ["Disqualified", "gray"],
  converted: ["Converted", "green"],
}

function usualLabels(): StatusLabel[] {
  return STATUSES.map((value, position) => {
    const [label, color] = USUAL[value]
    return { value, label, color, position }
  })
}

async function labelsOf(accounts: AccountReads, account: number): Promise<StatusLabel[]> {
  const saved = await accounts.statuses(account)
  return saved === null ? usualLabels() : (JSON.parse(saved) as StatusLabel[])
}

const example = { answers: { 200: usualLabels() as unknown as Json } }

export const listStatuses = operation({
  name: "list_statuses",
  about: "Names, order and colours of the statuses on screens",
  tag: "Account",
  note: "All five, in the order of screens; those that nobody changed have their usual names and colours.",
  example,
  access: "read",
  forSegments: true,
  http: "GET /account/statuses",
  output: v.array(StatusLabel),
  run: (ctx) => labelsOf(ctx.store.read.accounts, ctx.caller.account.key),
})

export const updateStatuses = operation({
  name: "update_statuses",
  about: "Set the names, order and colours of the statuses on screens",
  tag: "Account",
  note: "The body may be the bare list. Statuses that it leaves out keep what they have. The API's values stay.",
  example: {
    body: { statuses: [{ value: "qualified", label: "Meeting booked", color: "green", position: 1 }] },
    ...example,
  },
  access: "owner",
  http: "PUT /account/statuses",
  bodyList: "statuses",
  input: described(
    v.strictObject({
      statuses: v.pipe(
        v.array(Entry, "must be a list"),
        v.maxLength(STATUSES.length, "must hold at most 5 statuses"),
      ),
    }),
    {
      statuses: "Statuses to change.",
      "statuses[].value": "The status as the API knows it.",
      "statuses[].label": "Its name on screens, at most 40 characters.",
      "statuses[].color": "A colour's name, or `#rrggbb`.",
      "statuses[].position": "Its place in lists.",
    },
  ),
  output: v.array(StatusLabel),
  run: (ctx, { statuses }) =>
    ctx.store.write(ctx.caller.account.key, async (tx) => {
      const { key, id } = ctx.caller.account
      const given = new Map(statuses.map((one) => [one.value, one]))
      if (given.size < statuses.length) throw badRequest("statuses names a status more than once")
      const before = await labelsOf(tx.accounts, key)
      const after = before
        .map((one) => {
          const { label = one.label, color = one.color, position = one.position } = given.get(one.value) ?? {}
          return { value: one.value, label, color, position }
        })
        .toSorted(
          (a, b) => a.position - b.position || Number(given.has(b.value)) - Number(given.has(a.value)),
        )
        .map((one, position) => ({ ...one, position }))
      await tx.accounts.setStatuses(key, JSON.stringify(after))
      const details = { statuses: after.map(({ label }) => label).join(", ") }
      await recordByCaller(ctx, tx, "account.updated", id, details)
      return after
    }),
})
