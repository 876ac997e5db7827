import { expect, test } from "bun:test"
import { createHmac } from "node:crypto"
import { openTestAccount } from "../support/app.ts"
import { LEAST } from "../support/lead.ts"
import { until } from "../support/until.ts"

test("a new secret of a webhook and the one before sign together for 24 hours", async () => {
  const { call } = await openTestAccount()
  const seen: { headers: Headers; body: string }[] = []
  await using receiver = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      seen.push({ headers: request.headers, body: await request.text() })
      return new Response()
    },
  })
  const url = `http://127.0.0.1:${receiver.port}/`
  const { id } = (await call("POST", "/webhooks", { url, secret: "old", events: ["lead.created"] })).body
  await call("PUT", `/webhooks/${id}`, { secret: "new" })
  const next = async (name: string) => {
    await call("POST", "/leads", { ...LEAST, name })
    return until("a delivery", () => seen.pop())
  }
  const hmac = (secret: string, body: string) => createHmac("sha256", secret).update(body).digest("hex")
  const both = await next("first")
  expect(both.headers.get("x-service-signature")).toBe(hmac("new", both.body))
  expect(both.headers.get("x-service-signature-previous")).toBe(hmac("old", both.body))
  expect(both.headers.get("webhook-signature")).toMatch(/^v1,\S+ v1,\S+$/)
})
