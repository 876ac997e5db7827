import { describe, expect, test } from "bun:test"
import { createGuard } from "../../src/surfaces/mcp/guard.ts"

const allows = (settings: Parameters<typeof createGuard>[0], headers: Record<string, string>) =>
  createGuard(settings).refuse(new Headers(headers)) === undefined

describe("behind a public address", () => {
  const settings = {
    host: "127.0.0.1",
    mcpPublicUrl: "https://mcp.example.com",
    publicUrl: "https://leads.example.com:8443",
  }

  test.each([
    [true, { Host: "mcp.example.com" }],
    [true, { Host: "mcp.example.com:443", Origin: "https://leads.example.com" }],
    [true, { Host: "127.0.0.1:8081", Origin: "https://mcp.example.com" }],
    [false, { Host: "example.com" }],
    [false, { Host: "mcp.example.com", Origin: "https://example.com" }],
  ])("%p for %j", (expected, headers) => expect(allows(settings, headers)).toBe(expected))
})

describe("listening everywhere", () => {
  test.each([
    [true, { Host: "192.168.1.5:8081" }],
    [true, { Host: "[fd00::5]:8081" }],
    [true, { Host: "leaddb:8081" }],
    [true, { Host: "nas.local:8081" }],
    [true, { Host: "192.168.1.5:8081", Origin: "http://192.168.1.5:8081" }],
    [false, { Host: "192.168.1.5:8081", Origin: "http://192.168.1.6:8081" }],
    [false, { Host: "evil.example:8081" }],
    [false, { Host: "a b" }],
  ])("%p for %j", (expected, headers) => {
    expect(allows({ host: "0.0.0.0" }, headers)).toBe(expected)
    expect(allows({ host: "::" }, headers)).toBe(expected)
  })
})

test("on an address of its own only that and loopback", () => {
  expect(allows({ host: "10.0.0.5" }, { Host: "10.0.0.5:8081" })).toBe(true)
  expect(allows({ host: "10.0.0.5" }, { Host: "10.0.0.6:8081" })).toBe(false)
  expect(allows({ host: "fd00::5" }, { Host: "[fd00::5]:8081" })).toBe(true)
  expect(allows({ host: "Leads.Example" }, { Host: "leads.example" })).toBe(true)
})

test("a refusal says which setting helps", () => {
  const { refuse } = createGuard({ host: "127.0.0.1" })
  expect(refuse(new Headers({ Host: "leads.example.com" }))).toContain("LEADDB_MCP_PUBLIC_URL")
})
