import { expect, test } from "bun:test"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { isMissing } from "../support/missing.ts"

const TOOLS = join(import.meta.dir, "../../scripts/client")
/** Node's and Bun's modules are loaded, which takes most of it. */
const TIMEOUT = 170_000

const areThere = existsSync(join(TOOLS, "node_modules/@stoplight/spectral-core/package.json"))
const skipped = isMissing("linters of the OpenAPI document", areThere, "npm ci --prefix scripts/client")

test.skipIf(skipped)(
  "Redocly and Spectral find nothing in the OpenAPI document",
  () => {
    const document = join(TOOLS, "../../test/golden/openapi.json")
    const { exitCode, stderr } = Bun.spawnSync({ cmd: [process.execPath, join(TOOLS, "lint.js"), document] })
    expect([exitCode, stderr.toString()]).toEqual([0, ""])
  },
  TIMEOUT,
)
