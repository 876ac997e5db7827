import { expect, test } from "bun:test"
import { openTestApp } from "../support/app.ts"
import { LEAST } from "../support/lead.ts"

async function get(service: Awaited<ReturnType<typeof openTestApp>>, path: string) {
  const response = await fetch(service.app.url + path, { headers: { "X-API-Key": service.key } })
  return (await response.json()) as Record<string, unknown[]>
}

test("LEADDB_LIST_STYLE=object puts lists into objects and times of webhooks into ISO texts", async () => {
  const service = await openTestApp({ listStyle: "object" })
  const { body: lead } = await service.call("POST", "/leads", LEAST)
  await service.call("POST", `/leads/${lead.id}/notes`, { content: "Called" })
  expect(await get(service, `/leads/${lead.id}/notes`)).toEqual({
    notes: [expect.objectContaining({ content: "Called" })],
  })
  expect(await get(service, `/leads/${lead.id}/attributes`)).toEqual({ attributes: [] })
  expect(await get(service, "/scoring-rules")).toEqual({ rules: [] })
  const made = await fetch(`${service.app.url}/webhooks`, {
    method: "POST",
    headers: { "X-API-Key": service.key },
    body: JSON.stringify({ url: "http://127.0.0.1:9/x" }),
  })
  const created_at = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  expect(await made.json()).toMatchObject({ created_at, updated_at: created_at })
  expect(await get(service, "/webhooks")).toMatchObject({ webhooks: [{ created_at }] })
  expect(await get(service, "/api-keys")).toBeArray()
})
