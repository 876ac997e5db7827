import { describe, expect, test } from "bun:test"
import packageJson from "../../package.json" with { type: "json" }
import { commands, runCli } from "../../src/surfaces/cli/cli.ts"
import { OPTIONS } from "../../src/surfaces/cli/config.ts"
import { openPlace } from "../support/service.ts"
import { ioOf } from "./io.ts"

/** A command line that ends before it touches anything, without a process of its own. */
async function leaddb(argv: readonly string[], env: Record<string, string> = {}) {
  const { io, said } = ioOf(env)
  return { code: await runCli(argv, io), ...said() }
}

describe("wrong usage", () => {
  test.each<[string, ...string[]]>([
    [
      "serv",
      'unknown command "serv"; did you mean serve? Valid: serve, mcp, accounts, keys, open, login, log, webhooks, import, imports, import-mappings, export, duplicates, backup, restore, move, check, secrets, compact, health, completions, help, version',
      'unknown command "serv"; did you mean serve? Valid: serve, mcp, accounts, keys, open, login, log, webhooks, import, imports, import-mappings, export, duplicates, backup, restore, move, check, secrets, compact, health, completions, help, version',
    ],
    ["accounts", "accounts needs one more word: create, list, set-plan"],
    ["accounts lst", 'unknown command "lst" of accounts; did you mean list? Valid: create, list, set-plan'],
    ["accounts list now", 'unexpected "now" after leaddb accounts list'],
    ["backup", "FILE is required: leaddb backup FILE"],
    ["backup a b", 'unexpected "b" after leaddb backup'],
    [
      "--prot 9000",
      "unknown option --prot of leaddb serve; did you mean --port?",
      "--data, --database-connections, --host, --lan, --port",
    ],
    ["serve --prot=9000", "unknown option --prot of leaddb serve; did you mean --port?"],
    ["serve -p 9000", "unknown option -p of leaddb serve", "--port"],
    [
      "accounts list --force",
      "unknown option --force of leaddb accounts list; Valid: --data, --json, --help, --version",
    ],
    ["serve --port", "--port needs a value: --port N"],
    ["serve --port --log json", "--port needs a value: --port N"],
    ["serve --port 1 --port 2", "--port was given twice"],
    [
      "serve --port eighty",
      '--port must be a whole number from 0 to 65535 (0 takes any free port), not "eighty"',
    ],
    ["serve --proxy-secret hush", "--proxy-secret is a secret: set it as LEADDB_PROXY_SECRET instead"],
    ["accounts list --json=yes", "--json takes no value"],
    ["accounts create", "--name NAME is required"],
    ["accounts create --name=", "--name is required"],
    ["accounts create --name N --plan gold", '--plan must be one of free, pro, enterprise, not "gold"'],
    [
      "accounts create --name N --batch-limit 0",
      '--batch-limit must be a whole number of at least 1, not "0"',
    ],
    ["accounts create --name N --leads-limit none", "--leads-limit must be a whole number of at least 0"],
    ["accounts set-plan --plan pro", "--account ID is required"],
    ["accounts set-plan --account A --plan pro --leads-limit x", "or none to follow the plan"],
    ["keys create", "--name NAME is required"],
    ["keys create --name N --role admin", '--role must be one of viewer, editor, owner, not "admin"'],
    [
      "keys create --name N --expires-at soon",
      "--expires-at must be Unix seconds or a date such as 2027-01-31",
    ],
    [
      "keys create --name N --expires-at 2100-02-31",
      "--expires-at must be Unix seconds or a date such as 2027-01-31",
    ],
    ["keys create --name N --expires-at 2020-01-01", "--expires-at must be in the future"],
    ["keys revoke", "KEY_ID is required"],
  ])("%s", async (line, ...messages) => {
    const { code, out, err } = await leaddb(line.split(" "))
    for (const message of messages) expect(err).toContain(message)
    expect(err).toStartWith("leaddb: ")
    expect(err).toMatch(/Run "leaddb help/)
    expect({ code, out }).toEqual({ code: 2, out: "" })
  })

  test("a bad variable is named, when the command uses it", async () => {
    const env = { LEADDB_PORT: "x", LEADDB_DATA: "/nowhere" }
    const [served, listed] = [await leaddb([], env), await leaddb(["accounts", "list"], env)]
    expect(served.err).toContain("LEADDB_PORT must be a whole number")
    expect([served.code, listed.code]).toEqual([2, 1])
  })

  test("ends the process with 2, and says it on stderr", async () => {
    await using place = openPlace()
    const { code, out, err } = await place.run(["serv"])
    expect({ code, out }).toEqual({ code: 2, out: "" })
    expect(err).toContain("did you mean serve?")
  })
})

describe("help", () => {
  test("shows every command, every option with its default and its variable, and examples", async () => {
    const { code, out, err } = await leaddb(["--help"])
    expect({ code, err }).toEqual({ code: 0, err: "" })
    for (const { name, about } of commands)
      expect(out).toMatch(new RegExp(`^  ${name}\\b.*  ${about}$`.replace(/[()]/g, "\\$&"), "m"))
    for (const option of Object.values(OPTIONS)) {
      expect(out).toContain(option.about)
      expect(out).toContain(option.env)
      if ("default" in option && option.default) expect(out).toContain(`default ${option.default}`)
    }
    expect(out).toContain("Examples:\n  leaddb ")
    for (const line of out.split("\n")) expect(line.length).toBeLessThanOrEqual(110)
  })

  test.each([
    ["help", "Usage: leaddb [COMMAND] [OPTIONS]"],
    ["-h", "Usage: leaddb [COMMAND] [OPTIONS]"],
    ["accounts --help", "accounts set-plan"],
    ["help keys", "keys revoke"],
    ["help accounts create", "Usage: leaddb accounts create --name NAME [OPTIONS]"],
    ["keys revoke --key -h", "--key needs"],
    ["backup --help", "Usage: leaddb backup FILE [OPTIONS]"],
    ["serve --port x -h", "Usage: leaddb serve [OPTIONS]"],
  ])("leaddb %s", async (line, expected) => {
    const { out, err } = await leaddb(line.split(" "))
    expect(out + err).toContain(expected)
  })

  test("help on what does not exist is wrong usage", async () => {
    const { code, err } = await leaddb(["help", "key"])
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining("did you mean keys?") })
  })

  test.each(["version", "--version", "-v", "keys list -v"])("leaddb %s", async (line) => {
    expect(await leaddb(line.split(" "))).toEqual({
      code: 0,
      out: expect.stringMatching(
        new RegExp(`^leaddb ${packageJson.version} \\(commit \\S+, schema \\d+/\\d+\\)\\n$`),
      ),
      err: "",
    })
  })
})
