// The service in a local network: its addresses, and links that work on other machines.
import { expect, test } from "bun:test"
import { readConfig } from "../../src/config.ts"
import { openTestApp } from "../support/app.ts"

test.each([
  [{}, {}, "127.0.0.1"],
  [{ lan: "1" }, {}, "0.0.0.0"],
  [{}, { LEADDB_LAN: "1" }, "0.0.0.0"],
  [{ lan: "1", host: "192.168.7.7" }, {}, "192.168.7.7"],
])("flags %j and environment %j listen on %s…", (given, env, host) => {
  expect(readConfig(given, env).host).toBe(host)
})

test("a service on its machine alone names no other address", async () => {
  const { call } = await openTestApp()
  expect((await call("GET", "/network")).body).toEqual({ public_url: null, addresses: [] })
})

test("a service in the network names its addresses, and invitations lead there", async () => {
  const { call, app } = await openTestApp({ host: "0.0.0.0" })
  const { addresses } = (await call("GET", "/network")).body
  expect(app.network).toEqual(addresses)
  for (const address of addresses) expect(address).toMatch(/^http:\/\/\d+\.\d+\.\d+\.\d+:\d+$/)
  const { body } = await call("POST", "/members", { name: "Mia", role: "editor" })
  const here = new URL(app.url).origin
  expect(new URL(body.invite_url).origin).toBe(addresses[0] ?? here)
})
