import { statSync } from "node:fs"
import { checkDatabase } from "../../store/sqlite/check.ts"
import { json } from "./columns.ts"
import { command } from "./command.ts"
import { ADMIN, existingFile } from "./database.ts"

export const check = command({
  name: "check",
  about: "Look for damage in the database; exits 1 when there is any",
  options: ADMIN,
  async run(io, { data, json: asJson }) {
    const file = existingFile(data)
    const { checks, findings } = checkDatabase(file)
    const ok = findings.length === 0
    if (asJson) io.out(json({ file, bytes: statSync(file).size, ok, checks, findings }))
    else if (ok) io.out(`${file} is sound: ${checks.join(", ")}.\n`)
    else {
      io.out(`${file} is not sound:\n`)
      for (const { check, message, advice } of findings) io.out(`\n  ${check}: ${message}\n    ${advice}\n`)
    }
    return ok ? 0 : 1
  },
})
