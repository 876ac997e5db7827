import { expect, test } from "bun:test"
import { lookupHost } from "../../src/worker/net/address-guard.ts"

test("a host in /etc/hosts has its addresses", async () => {
  const found = await lookupHost("localhost")
  expect(found.map(({ address }) => address)).toContain("127.0.0.1")
})

test("a host that is not there fails with a code as node:dns gives it", async () => {
  const error = await lookupHost("no-such-host.invalid").then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(error).toBeInstanceOf(Error)
  expect((error as { code?: string }).code).toMatch(/^(ENOTFOUND|ENODATA|ECONNREFUSED|ETIMEOUT|ESERVFAIL)$/)
})
