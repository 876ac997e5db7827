// Looking up whether the domains of emails take mail.
import { describe, expect, test } from "bun:test"
import { systemClock } from "../../src/runtime/clock.ts"
import { createMailLookup, type MailResolver } from "../../src/worker/mail/lookup.ts"

const failing = (code: string) => Promise.reject(Object.assign(new Error(code), { code }))

/** A resolver of a few domains; what it is asked is counted. */
function resolverOf(domains: Record<string, { mx?: string[]; a?: string[]; fails?: string }>) {
  const asked: string[] = []
  const of = (domain: string) => domains[domain] ?? { fails: "ENOTFOUND" }
  const resolver: MailResolver = {
    resolveMx(domain) {
      asked.push(domain)
      const { mx, fails = "ENODATA" } = of(domain)
      return mx ? Promise.resolve(mx.map((exchange) => ({ exchange }))) : failing(fails)
    },
    resolve4(domain) {
      const { a, fails = "ENODATA" } = of(domain)
      return a ? Promise.resolve(a) : failing(fails)
    },
    resolve6: (domain) => failing(of(domain).fails ?? "ENODATA"),
  }
  return { asked, resolver }
}

describe("a domain", () => {
  const { resolver } = resolverOf({
    "mail.de": { mx: ["mx1.mail.de"] },
    "web.de": { a: ["192.0.2.1"] },
    "null.de": { mx: [""] },
    "bare.de": {},
    "broken.de": { fails: "ESERVFAIL" },
  })
  test.each([
    ["mail.de", "takes"],
    ["web.de", "takes"],
    ["null.de", "none"],
    ["bare.de", "none"],
    ["nowhere.de", "none"],
    ["broken.de", "silent"],
    ["example.com", "reserved"],
    ["shop.example", "reserved"],
  ] as const)("%s is found to be one that %s", async (domain, answer) => {
    expect(await createMailLookup(systemClock, resolver).lookUp(domain)).toBe(answer)
  })
})

test("an answer is remembered, silence is not", async () => {
  const { asked, resolver } = resolverOf({ "mail.de": { mx: ["mx"] }, "broken.de": { fails: "ETIMEOUT" } })
  const { lookUp } = createMailLookup(systemClock, resolver)
  for (const domain of ["mail.de", "broken.de"]) {
    await Promise.all([lookUp(domain), lookUp(domain)])
    await lookUp(domain)
  }
  expect(asked).toEqual(["mail.de", "broken.de", "broken.de"])
})

test("no question is waited for once it is stopped", async () => {
  const never = new Promise<never>(() => {})
  const mail = createMailLookup(systemClock, {
    resolveMx: () => never,
    resolve4: () => never,
    resolve6: () => never,
  })
  const answer = mail.lookUp("mail.de")
  mail.stop()
  expect(await answer).toBe("silent")
})
