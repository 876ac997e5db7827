import { describe, expect } from "bun:test"
import { parseLoginCode, showLoginCode } from "../../src/access/login-code.ts"
import type { Role } from "../../src/access/rights.ts"
import { issueLoginCode } from "../../src/domain/access/login-codes.ts"
import { createIds } from "../../src/runtime/clock.ts"
import { openTestApp, type TestApp } from "../support/app.ts"
import { type HeldClock, heldClock } from "../support/clock.ts"
import { everythingKept, openBeside } from "../support/database.ts"
import { openPlace } from "../support/service.ts"
import { testWith } from "../support/test-with.ts"
import { allow, answerOf, authorizeUrl, exchange, originOf, register, show, submit } from "./support.ts"

const test = testWith(opened)

/** A code made beside the running service, as `leaddb login` does it. */
async function login({ config }: TestApp, clock: HeldClock, role: Role = "owner"): Promise<string> {
  const store = await openBeside(config.file, createIds(clock))
  const [account] = await store.read.accounts.list()
  const { code } = await issueLoginCode(store, { account: account!.key, role }, clock.seconds())
  await store.close()
  return code
}

async function opened() {
  const clock = heldClock()
  const service = await openTestApp({}, clock)
  const origin = originOf(service)
  const client = await register(origin)
  const url = authorizeUrl(origin, client)
  /** Types a code; answers with the status, 303 for one that works. */
  const type = async (key: string, role = "editor") => submit(origin, await show(url), { key, role })
  return { clock, service, origin, client, url, type }
}

describe("a one-time code", () => {
  test("signs in once, however it is typed", async ({ clock, service, origin, client, type }) => {
    const code = await login(service, clock)
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){2}$/)
    const typed = ` ${code.toLowerCase().replaceAll("-", " ").replaceAll("0", "o").replaceAll("1", "l")} `
    const granted = answerOf(await type(typed, "owner")).get("code")!
    expect((await exchange(origin, client, granted)).status).toBe(200)
    expect((await service.call("GET", "/api-keys")).body[1]).toMatchObject({
      name: "Test App",
      role: "owner",
    })
    const again = await type(code)
    expect([again.status, again.html.includes("wrong, used or older than 10 minutes")]).toEqual([403, true])
  })

  test("signs in once, even when it is sent twice at the same time", async ({ clock, service, type }) => {
    const code = await login(service, clock)
    const both = await Promise.all([type(code), type(code)])
    expect(both.map(({ status }) => status).sort()).toEqual([303, 403])
  })

  test("is good for 10 minutes", async ({ clock, service, type }) => {
    const [first, second] = [await login(service, clock), await login(service, clock)]
    clock.advance(599_000)
    expect((await type(first)).status).toBe(303)
    clock.advance(1_000)
    expect((await type(second)).status).toBe(403)
  })

  test("grants no more than it was made for", async ({ clock, service, type }) => {
    const code = await login(service, clock, "viewer")
    expect((await type(code, "editor")).status).toBe(403)
    expect((await type(code, "viewer")).status).toBe(303)
  })

  test("is worthless after 5 wrong tries", async ({ clock, service, type }) => {
    const code = await login(service, clock)
    const wrong = code.slice(0, -1) + (code.endsWith("A") ? "B" : "A")
    for (let i = 0; i < 5; i++) expect((await type(wrong)).status).toBe(403)
    expect((await type(code)).status).toBe(403)
  })

  test("can be tried 10 times in 10 minutes from one address; other codes go on", async () => {
    const { clock, service, type } = await opened()
    for (let i = 0; i < 10; i++) expect((await type(`AAAA-AAAA-AAA${i}`)).status).toBe(403)
    const refused = await type("AAAA-AAAA-AAAA")
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "600"])
    expect(refused.html).toContain("Too many one-time codes were tried. Wait 10 min.")
    expect((await type(await login(service, clock))).status).toBe(303)
    expect((await type(service.key)).status).toBe(303)
  })

  test("is not in the database's files", async ({ clock, service }) => {
    const { selector, secret } = parseLoginCode(await login(service, clock))!
    const kept = await everythingKept(service.config.data)
    const texts = [selector, secret, secret.slice(0, 4), "$argon2id$"]
    expect(texts.map((text) => kept.includes(text))).toEqual([true, false, false, true])
  })

  test.each(["", "ABCD-EFGH-JKM", "ABCD-EFGH-JKMNP", "ABCD-EFGH-JKMU", "ABCD-EFGH-JKM!"])(
    "is not %j",
    (text) => {
      expect(parseLoginCode(text)).toBeUndefined()
    },
  )

  test("reads what looks alike as the same", () => {
    expect(showLoginCode(parseLoginCode("oOiI lLaA – 0011")!)).toBe("0011-11AA-0011")
  })
})

test("leaddb login makes a code that the running service takes", async () => {
  await using place = openPlace()
  const service = await place.serve()
  const origin = new URL(service.mcpUrl).origin
  const { json, code: status } = await place.run(["login", "--role", "viewer", "--json"])
  expect(status).toBe(0)
  const { accounts } = (await place.run(["accounts", "list", "--json"])).json
  expect(json).toEqual({
    code: expect.stringMatching(/^.{4}-.{4}-.{4}$/),
    account: { id: accounts[0].id, name: "default" },
    role: "viewer",
    expires_at: expect.any(Number),
  })
  const client = await register(origin)
  const granted = await allow(origin, authorizeUrl(origin, client), json.code, "viewer")
  expect((await exchange(origin, client, granted)).status).toBe(200)

  const { out } = await place.run(["login", "--account", "default"])
  expect(out).toMatch(/^One-time code {2}\S{14}\nAccount {8}acc_\S+ "default"\nRole {11}owner at most\n/)
  expect(out).toContain("within 10 minutes. It works once.")
  expect((await place.run(["login", "--account", "nobody"])).code).toBe(1)
  expect((await place.run(["login", "--role", "admin"])).code).toBe(2)
})
