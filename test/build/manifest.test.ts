// biome-ignore-all lint/suspicious/noTemplateCurlyInString: clients of bundles fill these in
import { describe, expect, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import packageJson from "../../package.json" with { type: "json" }
import { bundleManifest } from "../../scripts/build/bundle.ts"
import { serverJson } from "../../scripts/build/server-json.ts"
import { commands } from "../../src/surfaces/cli/cli.ts"

const ROOT = join(import.meta.dir, "../..")

describe("the manifest of a bundle", () => {
  const manifest = bundleManifest({ system: "darwin" })

  test("names the tools that the server has, in its order and words", () => {
    const golden: { name: string; description: string }[] = JSON.parse(
      readFileSync(join(ROOT, "test/golden/tools.json"), "utf8"),
    )
    expect(manifest.tools).toEqual(golden.map(({ name, description }) => ({ name, description })))
  })

  test("has the version of the package", () => {
    expect(manifest.version).toBe(packageJson.version)
  })

  test("sets only variables that the command knows, to what the user is asked for", () => {
    const { args, env } = manifest.server.mcp_config
    const { options } = commands.find(({ name }) => name === args[0])!
    const known = Object.values(options).map((option) => option.env)
    expect(known).toEqual(expect.arrayContaining(Object.keys(env)))
    const asked = Object.values(env).map((value) => value.match(/^\$\{user_config\.(\w+)\}$/)?.[1])
    expect(asked).toEqual(Object.keys(manifest.user_config))
  })

  test("starts the file that lies in the bundle, which on Windows is an .exe", () => {
    expect(manifest.server).toMatchObject({
      entry_point: "server/leaddb",
      mcp_config: { command: "${__dirname}/server/leaddb" },
    })
    expect(bundleManifest({ system: "win32" })).toMatchObject({
      server: { entry_point: "server/leaddb.exe" },
      compatibility: { platforms: ["win32"] },
    })
    expect(existsSync(join(ROOT, "scripts/mcpb", manifest.icon))).toBe(true)
  })
})

describe("server.json", () => {
  const bundles = [["leaddb-1.2.3-linux-x64.mcpb", "ab".repeat(32)]] as const

  test("says where each bundle is and what it hashes to", () => {
    const releaseUrl = "https://github.com/acme/leaddb/releases/download/v1.2.3"
    const document = serverJson(bundles, {
      version: "1.2.3",
      releaseUrl,
      registryName: "io.github.acme/leaddb",
    })
    expect(document).toMatchObject({
      name: "io.github.acme/leaddb",
      version: "1.2.3",
      packages: [
        expect.objectContaining({ registryType: "npm", identifier: "leaddb", version: "1.2.3" }),
        {
          registryType: "mcpb",
          identifier: `${releaseUrl}/leaddb-1.2.3-linux-x64.mcpb`,
          fileSha256: "ab".repeat(32),
        },
      ],
    })
  })

  test("keeps to the lengths and forms that the registry allows", () => {
    const document = serverJson(bundles, { version: "1.2.3", releaseUrl: undefined, registryName: undefined })
    expect(document.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
    expect(document.description.length).toBeLessThanOrEqual(100)
    expect(document.remotes.map(({ url }) => url)).toEqual([expect.stringMatching(/^https?:\/\/[^\s]+$/)])
  })
})
