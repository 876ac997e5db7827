// Holds an OpenAPI document against Redocly's strict rules, examples included, and those of Spectral.
// Usage: node lint.js FILE
import { readFileSync } from "node:fs"
import { createConfig, formatProblems, getTotals, lint } from "@redocly/openapi-core"
import spectral from "@stoplight/spectral-core"
import { oas } from "@stoplight/spectral-rulesets"

const file = process.argv[2]
const config = await createConfig({ extends: ["recommended-strict"] })
const problems = await lint({ ref: file, config })
formatProblems(problems, { format: "stylish", totals: getTotals(problems), version: "" })

const linter = new spectral.Spectral()
linter.setRuleset({ extends: [[oas, "recommended"]], rules: {} })
const findings = await linter.run(JSON.parse(readFileSync(file, "utf8")))
for (const { path, code, message } of findings) console.error(`${path.join(".")}: ${message} (${code})`)

if (problems.length + findings.length > 0) process.exit(1)
console.log("Redocly and Spectral find nothing")
