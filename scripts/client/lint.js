// Holds an OpenAPI document against Redocly's strict rules, examples included. Usage: node lint.js FILE
import { createConfig, formatProblems, getTotals, lint } from "@redocly/openapi-core"

const config = await createConfig({ extends: ["recommended-strict"] })
const problems = await lint({ ref: process.argv[2], config })
formatProblems(problems, { format: "stylish", totals: getTotals(problems), version: "" })
process.exit(problems.length > 0 ? 1 : 0)
