// The status of emails by what name servers say, behind the requests that brought the leads.
import { expect, test } from "bun:test"
import { lookUpNext, type MailAnswer } from "../../src/domain/leads/email-status.ts"
import type { Services } from "../../src/domain/operation.ts"
import { createIds, systemClock } from "../../src/runtime/clock.ts"
import { openTestApp } from "../support/app.ts"
import { openBeside } from "../support/database.ts"

async function openWithLeads(emails: readonly string[]) {
  const { call, config } = await openTestApp()
  for (const email of emails) await call("POST", "/leads", { name: email, source: "s", email })
  const ids = createIds(systemClock)
  const store = await openBeside(config.file, ids)
  const [account] = await store.read.accounts.list()
  const services = { store, clock: systemClock, ids } as Services
  const asked: string[] = []
  const next = (answers: Record<string, MailAnswer>) =>
    lookUpNext(services, account!, async (domain) => {
      asked.push(domain)
      return answers[domain] ?? "silent"
    })
  const statuses = async () => {
    const { leads } = (await call("GET", "/leads?sort_by=created_at")).body
    return leads.map(({ email_status }: { email_status: string }) => email_status)
  }
  return { call, asked, next, statuses, [Symbol.asyncDispose]: () => store.close() }
}

test("new emails are looked up once, and only where nothing is known of them", async () => {
  await using app = await openWithLeads(["a@mail.de", "b@nowhere.de", "c@gmail.com", "info@mail.de"])
  expect(await app.next({ "mail.de": "takes", "nowhere.de": "none" })).toBe("more")
  expect(await app.statuses()).toEqual(["ok", "no_mx", "ok", "role"])
  expect(app.asked).toEqual(["mail.de", "nowhere.de"])
  expect(await app.next({})).toBe("done")
  const { body } = await app.call("GET", "/changes")
  expect(body.changes.map(({ action }: { action: string }) => action)).toEqual(Array(4).fill("created"))
})

test("without an answer from any name server the same leads are looked at again", async () => {
  await using app = await openWithLeads(["a@mail.de", "b@other.de"])
  expect(await app.next({})).toBe("offline")
  expect(await app.statuses()).toEqual(["unknown", "unknown"])
  expect(await app.next({ "mail.de": "takes" })).toBe("more")
  expect(await app.statuses()).toEqual(["ok", "unknown"])
})

test("a status that was told meanwhile stays, and rules see the new one", async () => {
  await using app = await openWithLeads(["a@mail.de", "b@mail.de"])
  await app.call("POST", "/scoring-rules", { name: "r", expression: 'email_status == "ok" ? 40 : 0' })
  const { leads } = (await app.call("GET", "/leads?sort_by=created_at")).body
  await app.call("POST", `/leads/${leads[0].id}/email-status`, { status: "bounced" })
  await app.next({ "mail.de": "takes" })
  expect(await app.statuses()).toEqual(["bounced", "ok"])
  expect((await app.call("GET", `/leads/${leads[1].id}`)).body.score).toBe(40)
})
