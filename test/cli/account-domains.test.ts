import { describe, expect, test } from "bun:test"
import { openPlace } from "../support/service.ts"

async function openTwo() {
  const place = openPlace()
  for (const name of ["Acme", "Other"]) await place.run(["accounts", "create", "--name", name])
  const run = (line: string) => place.run(`accounts domains ${line}`.split(" "))
  return { place, run, [Symbol.asyncDispose]: () => place[Symbol.asyncDispose]() }
}

describe("leaddb accounts domains", () => {
  test("adds, lists and removes the domains of an account", async () => {
    await using two = await openTwo()
    const { run, place } = two
    expect(await run("Acme")).toMatchObject({ code: 0, out: expect.stringContaining("Acme has no domains") })
    expect((await run("Acme add Corp.Example müller.de --json")).json).toEqual({
      account: expect.stringMatching(/^acc_/),
      domains: ["corp.example", "xn--mller-kva.de"],
    })
    expect((await run("Acme add corp.example shop.corp.example. --json")).json.domains).toEqual([
      "corp.example",
      "shop.corp.example",
      "xn--mller-kva.de",
    ])
    expect((await run("Acme remove MÜLLER.de shop.corp.example")).out).toBe("corp.example\n")
    expect((await run("Acme")).out).toBe("corp.example\n")
    const { entries } = (await place.run(["log", "--account", "Acme", "--json"])).json
    expect(entries[0]).toMatchObject({ action: "account.updated", details: { domains: "corp.example" } })
  })

  test("gives a domain to one account alone, until it is taken from there", async () => {
    await using two = await openTwo()
    const { run } = two
    await run("Acme add corp.example")
    const refused = await run("Other add free.example corp.example")
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('belongs to account "Acme"') })
    expect((await run("Other --json")).json.domains).toEqual([])
    expect(await run("Other remove corp.example")).toMatchObject({
      code: 1,
      err: expect.stringContaining('corp.example does not belong to account "Other": it has none'),
    })
    expect((await run("Acme remove corp.example --json")).json.domains).toEqual([])
    expect((await run("Other add corp.example")).code).toBe(0)
  })

  const NO_DOMAINS =
    `com ceo@corp.example @corp.example https://corp.example *.corp.example a..example 10.0.0.1
    a-.example a_b.example .example corp.example/x ${"a".repeat(64)}.example`.split(/\s+/)
  const WRONG: [line: string, message: string][] = [
    ["", "ACCOUNT is required"],
    ["Acme give corp.example", "must be add or remove"],
    ["Acme add", "name a domain"],
    ...NO_DOMAINS.map((text): [string, string] => [`Acme add ok.example ${text}`, "is not an email domain"]),
    ["Acme add co.uk", "an ending that many domains share"],
    ["Acme add Gmail.com", "Anybody can have an email at gmail.com"],
  ]
  test("refuses what is no domain of a company, and changes nothing then", async () => {
    await using two = await openTwo()
    for (const [line, message] of WRONG)
      expect([line, await two.run(line)]).toMatchObject([
        line,
        { code: 2, err: expect.stringContaining(message) },
      ])
    expect((await two.run("Acme --json")).json.domains).toEqual([])
    expect(await two.run("Acmee")).toMatchObject({
      code: 1,
      err: expect.stringContaining('did you mean "Acme"?'),
    })
  })
})
