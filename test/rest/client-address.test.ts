import { describe, expect, test } from "bun:test"
import { createSlidingWindows } from "../../src/surfaces/http/limits.ts"
import { addressKey, createClientAddress } from "../../src/surfaces/http/request.ts"
import { openTestApp } from "../support/app.ts"
import { heldClock } from "../support/clock.ts"

const NGINX = "127.0.0.1"

describe("the client of a request", () => {
  test.each<[string, string, Record<string, string>]>([
    ["8.8.8.8", "8.8.8.8", { "X-Forwarded-For": "1.1.1.1" }],
    [NGINX, NGINX, {}],
    ["1.1.1.1", NGINX, { "X-Forwarded-For": "1.1.1.1" }],
    ["1.1.1.1", "::ffff:127.0.0.1", { "X-Forwarded-For": "1.1.1.1:4711" }],
    ["1.1.1.1", NGINX, { "X-Forwarded-For": "9.9.9.9, 1.1.1.1" }],
    ["1.1.1.1", NGINX, { "X-Forwarded-For": "9.9.9.9, 1.1.1.1, 10.2.3.4" }],
    ["10.2.3.4", NGINX, { "X-Forwarded-For": "9.9.9.9, unknown, 10.2.3.4" }],
    ["10.0.0.1", NGINX, { "X-Forwarded-For": "10.0.0.1, 10.2.3.4" }],
    [NGINX, NGINX, { "X-Forwarded-For": "<script>" }],
    ["1.1.1.1", NGINX, { Forwarded: "for=9.9.9.9, for=1.1.1.1;proto=https" }],
    ["2001:db8::1", NGINX, { Forwarded: 'proto=https; For="[2001:db8::1]:4711"' }],
    ["1.1.1.1", NGINX, { Forwarded: "for=9.9.9.9", "X-Forwarded-For": "1.1.1.1" }],
  ])("is %s for %s with %j", (expected, peer, headers) => {
    const clientOf = createClientAddress(["127.0.0.1", "10.0.0.0/8"])
    expect(clientOf(peer, new Headers(headers))).toBe(expected)
  })

  test("is whoever is connected while no proxy is trusted", () => {
    expect(createClientAddress([])(NGINX, new Headers({ "X-Forwarded-For": "1.1.1.1" }))).toBe(NGINX)
  })
})

test("one IPv6 line counts as one address", () => {
  expect(addressKey("2001:db8:1:2::1")).toBe(addressKey("2001:db8:1:2:ffff::9"))
  expect(addressKey("2001:db8:1:2::1")).not.toBe(addressKey("2001:db8:1:3::1"))
  expect(addressKey("2001:db8::1")).toBe("2001:db8:0:0::/64")
  expect(addressKey("::ffff:1.2.3.4")).toBe("1.2.3.4")
})

test("wrong keys of one client behind a trusted proxy lock nobody else out", async () => {
  const { call } = await openTestApp({ trustedProxies: ["127.0.0.1"] })
  const wrong = (address: string) =>
    call("GET", "/leads", undefined, { "X-API-Key": "no", "X-Forwarded-For": address })
  for (let i = 0; i < 100; i++) expect((await wrong("1.1.1.1")).status).toBe(401)
  expect((await wrong("1.1.1.1")).status).toBe(429)
  expect((await wrong("2.2.2.2")).status).toBe(401)
})

test("windows of a limit hold across their generations", () => {
  const clock = heldClock()
  const windows = createSlidingWindows<string>(clock, 1_000)
  clock.advance(900)
  expect(windows.take("a", 1).allowed).toBe(true)
  clock.advance(900)
  expect(windows.take("b", 1).allowed).toBe(true)
  expect(windows.take("a", 1).allowed).toBe(false)
  clock.advance(100)
  expect(windows.take("a", 1).allowed).toBe(true)
  clock.advance(5_000)
  expect([windows.take("a", 1).allowed, windows.take("a", 1).allowed]).toEqual([true, false])
})
