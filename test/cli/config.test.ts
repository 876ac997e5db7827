import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import {
  type Environment,
  type Given,
  OPTIONS,
  readConfig,
  unknownSettings,
} from "../../src/surfaces/cli/config.ts"

describe("configuration", () => {
  test("has the documented defaults", () => {
    expect(readConfig({}, {})).toEqual({
      data: join(process.cwd(), "data"),
      file: join(process.cwd(), "data/leads.db"),
      databaseRead: [],
      databaseConnections: 12,
      host: "127.0.0.1",
      lan: false,
      port: 8080,
      mcpPort: 8081,
      workers: 0,
      webhookPrivate: "auto",
      emailMx: "auto",
      webhookAllowCidrs: [],
      allowedHosts: [],
      corsOrigins: [],
      trustedProxies: [],
      log: "pretty",
      listStyle: "array",
      metrics: "local",
      backupEvery: 24 * 60 * 60 * 1000,
      backupKeep: 7,
      changesKeep: 0,
      bootstrap: true,
      oauth: true,
      oidcRoleClaim: "role",
    })
  })

  test("takes flags over the environment over defaults", () => {
    const config = readConfig({ port: "1000" }, { LEADDB_PORT: "2000", LEADDB_MCP_PORT: "3000" })
    expect([config.port, config.mcpPort, config.host]).toEqual([1000, 3000, "127.0.0.1"])
  })

  test("counts empty variables as unset", () => {
    const env = Object.fromEntries(Object.values(OPTIONS).map((option) => [option.env, ""]))
    expect(readConfig({}, env)).toEqual(readConfig({}, {}))
  })

  test("does not change after it was read", () => {
    expect(Object.isFrozen(readConfig({}, {}))).toBe(true)
  })

  test.each<[Environment, object]>([
    [{ LEADDB_HOST: "::1" }, { host: "::1" }],
    [
      { LEADDB_PORT: "0", LEADDB_MCP_PORT: "0" },
      { port: 0, mcpPort: 0 },
    ],
    [{ LEADDB_PUBLIC_URL: "https://leads.example.com/crm/" }, { publicUrl: "https://leads.example.com/crm" }],
    [{ LEADDB_MCP_PUBLIC_URL: "https://mcp.example.com/" }, { mcpPublicUrl: "https://mcp.example.com" }],
    [{ LEADDB_PROXY_SECRET: "between us" }, { proxySecret: "between us" }],
    [{ LEADDB_WEBHOOK_PRIVATE: "block" }, { webhookPrivate: "block" }],
    [
      { LEADDB_WEBHOOK_ALLOW_CIDRS: "10.1.0.0/16, fd00::/8,192.168.1.5" },
      { webhookAllowCidrs: ["10.1.0.0/16", "fd00::/8", "192.168.1.5"] },
    ],
    [{ LEADDB_LOG: "off" }, { log: "off" }],
    [{ LEADDB_METRICS: "all" }, { metrics: "all" }],
    [{ LEADDB_BACKUP_DIR: "/backups/" }, { backupDir: "/backups" }],
    [
      { LEADDB_BACKUP_EVERY: "30m", LEADDB_BACKUP_KEEP: "30" },
      { backupEvery: 1_800_000, backupKeep: 30 },
    ],
    [{ LEADDB_BOOTSTRAP: "0" }, { bootstrap: false }],
    [{ LEADDB_OAUTH: "off" }, { oauth: false }],
  ])("takes %j", (env, expected) => {
    expect(readConfig({}, env)).toMatchObject(expected)
  })

  test.each<[Given, Environment, string]>([
    [{ port: "80a" }, {}, '--port must be a whole number from 0 to 65535 (0 takes any free port), not "80a"'],
    [{}, { LEADDB_PORT: "65536" }, "LEADDB_PORT must be a whole number from 0 to 65535"],
    [{ port: "-1" }, {}, "--port must be a whole number"],
    [{ port: "" }, {}, "--port must be a whole number"],
    [{ data: "" }, {}, "--data must not be empty"],
    [{ host: "http://x" }, {}, "--host must be an IP address or a host name"],
    [{ port: "9000", mcpPort: "9000" }, {}, "--port and --mcp-port must differ, both are 9000"],
    [{}, { LEADDB_PUBLIC_URL: "leads.example.com" }, "LEADDB_PUBLIC_URL must be an http or https address"],
    [
      {},
      { LEADDB_PUBLIC_URL: "https://u:p@x.example" },
      "LEADDB_PUBLIC_URL must be an http or https address",
    ],
    [{}, { LEADDB_PUBLIC_URL: "https://x.example/api/v1" }, "LEADDB_PUBLIC_URL must leave out /api/v1"],
    [{}, { LEADDB_MCP_PUBLIC_URL: "x.example" }, "LEADDB_MCP_PUBLIC_URL must be an http or https address"],
    [{}, { LEADDB_MCP_PUBLIC_URL: "https://x.example/mcp" }, "LEADDB_MCP_PUBLIC_URL must be without a path"],
    [{ webhookPrivate: "yes" }, {}, "--webhook-private must be one of auto, allow, block"],
    [{}, { LEADDB_WEBHOOK_ALLOW_CIDRS: "10.0.0.0/33" }, "LEADDB_WEBHOOK_ALLOW_CIDRS must be address ranges"],
    [{ log: "loud" }, {}, '--log must be one of json, pretty, off, not "loud"'],
    [{ metrics: "me" }, {}, '--metrics must be one of local, all, off, not "me"'],
    [{}, { LEADDB_BOOTSTRAP: "yes" }, "LEADDB_BOOTSTRAP must be one of 0, 1"],
    [{}, { LEADDB_OAUTH: "1" }, "LEADDB_OAUTH must be one of on, off"],
    [{ workers: "-1" }, {}, '--workers must be a whole number from 0 to 16, not "-1"'],
    [{}, { LEADDB_WORKERS: "17" }, 'LEADDB_WORKERS must be a whole number from 0 to 16, not "17"'],
    [
      { workers: "2" },
      { LEADDB_DATABASE: "postgres://u@h/d" },
      "--workers are for a database file: with LEADDB_DATABASE, run several instances on the same database instead",
    ],
  ])("refuses %j %j", (given, env, message) => {
    expect(() => readConfig(given, env)).toThrow(message)
  })

  test("never shows the secret", () => {
    const read = () => readConfig({}, { LEADDB_PROXY_SECRET: "geheim\n" })
    expect(read).toThrow(/^LEADDB_PROXY_SECRET must be printable ASCII, since it travels in a header$/)
  })

  test("knows which variables mean nothing", () => {
    const env = { LEADDB_PROT: "1", LEADDB_PORT: "1", LEADDB_ZZZZZZZZZZ: "", PATH: "/bin" }
    const [mistyped, strange, ...more] = unknownSettings(env)
    expect(mistyped).toContain("LEADDB_PROT is not a setting and is ignored; did you mean LEADDB_PORT?")
    expect(strange).toContain("LEADDB_ZZZZZZZZZZ is not a setting")
    expect(more).toEqual([])
  })
})
