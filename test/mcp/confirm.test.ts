import { describe, expect } from "bun:test"
import { openTestAccount, test } from "../support/app.ts"
import { LEAST, NO_LEAD } from "../support/lead.ts"
import { call } from "./support.ts"

const STARRED = [
  "delete_lead",
  "batch_delete_leads",
  "delete_note",
  "delete_attribute",
  "delete_scoring_rule",
  "delete_webhook",
  "delete_api_key",
]

describe.each(STARRED)("%s", (name) => {
  test("asks for confirmation before anything else: arguments, ids or the caller's rights", async () => {
    const service = await openTestAccount()
    const viewer = { "X-Member-Role": "viewer" }
    const attempts = [
      {},
      { id: NO_LEAD },
      { confirm: false },
      { confirm: "true" },
      { confirm: 1 },
      { confirm: null, nonsense: 1 },
    ]
    for (const args of attempts) {
      for (const headers of [{}, viewer]) {
        const { error, isError } = await call(service, name, args, headers)
        expect([args, isError, error]).toEqual([
          args,
          true,
          { code: "CONFIRMATION_REQUIRED", message: expect.stringContaining("confirm: true"), status: 400 },
        ])
      }
    }
  })

  test("goes on to the next question when it has it", async (service) => {
    expect((await call(service, name, { confirm: true })).error.code).toBe("VALIDATION_ERROR")
    const { error } = await call(service, name, { confirm: true, id: NO_LEAD }, { "X-Member-Role": "viewer" })
    expect(error).toMatchObject({ code: "UNAUTHORIZED", status: 403 })
  })
})

test("nothing is deleted without confirmation", async (service) => {
  const { data: lead } = await call(service, "create_lead", LEAST)
  await call(service, "delete_lead", { id: lead.id })
  await call(service, "batch_delete_leads", { ids: [lead.id], confirm: false })
  expect((await call(service, "get_lead", { id: lead.id })).data.id).toBe(lead.id)
})

test("confirm is not known to tools that do not delete", async (service) => {
  expect((await call(service, "get_lead", { id: NO_LEAD, confirm: true })).error.code).toBe(
    "VALIDATION_ERROR",
  )
})
