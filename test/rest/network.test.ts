// The service in a local network: its addresses, and links that work on other machines.
import { expect } from "bun:test"
import { readConfig } from "../../src/surfaces/cli/config.ts"
import { callsOf, openTestApp, test } from "../support/app.ts"
import { onPostgres } from "../support/database.ts"
import { openPlace } from "../support/service.ts"
import { until } from "../support/until.ts"

test.each([
  [{}, {}, "127.0.0.1"],
  [{ lan: "1" }, {}, "0.0.0.0"],
  [{}, { LEADDB_LAN: "1" }, "0.0.0.0"],
  [{ lan: "1", host: "192.168.7.7" }, {}, "192.168.7.7"],
])("flags %j and environment %j listen on %s…", (given, env, host) => {
  expect(readConfig(given, env).host).toBe(host)
})

test("a service on its machine alone names no other address", async ({ call }) => {
  expect((await call("GET", "/network")).body).toEqual({ public_url: null, addresses: [], lan: null })
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

test.skipIf(onPostgres)(
  "the owner on the machine lets the network reach it, and a later start remembers",
  async () => {
    await using place = openPlace()
    const service = await place.serve()
    const { call } = service
    const isOn = async () => {
      const answer = await call("GET", "/network").catch(() => undefined)
      return answer?.status === 200 ? answer.body.lan : undefined
    }
    expect(await isOn()).toBe(false)
    for (const lan of [true, false, true])
      await until(`it listens on the network: ${lan}`, async () => {
        if ((await isOn()) === !lan) await call("PUT", "/network", { lan }).catch(() => {})
        return (await isOn()) === lan
      })
    const { body } = await call("GET", "/network")
    for (const origin of body.addresses) {
      const there = await callsOf(`${origin}/api/v1`)(service.key)("GET", "/network")
      // From there it cannot be changed.
      expect(there.body).toEqual({ ...body, lan: null })
    }
    await service.stop()
    const later = await place.serve()
    expect((await later.call("GET", "/network")).body.lan).toBe(true)
  },
)

test("what the settings say is not changed by a request", async ({ call }) => {
  expect(await call("PUT", "/network", { lan: true })).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining("LEADDB_LAN") },
  })
})
