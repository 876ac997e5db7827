import { statSync } from "node:fs"
import { systemClock } from "../../core/clock.ts"
import type { Finding } from "../../store/file-care.ts"
import { fileCare } from "../../store/open.ts"
import { json } from "./columns.ts"
import { command } from "./command.ts"
import { ADMIN, existingFile } from "./database.ts"

export const check = command({
  name: "check",
  about: "Look for damage and trouble to come; exits 1 when there is damage",
  options: ADMIN,
  async run(io, { data, json: asJson }) {
    const file = existingFile(data)
    const { checks, findings } = fileCare.check(file, { now: systemClock.now() })
    const ok = findings.every(({ severity }) => severity === "warning")
    if (asJson) io.out(json({ file, bytes: statSync(file).size, ok, checks, findings }))
    else io.out(told(file, ok, checks, findings))
    return ok ? 0 : 1
  },
})

function told(file: string, ok: boolean, checks: string[], findings: Finding[]): string {
  const verdict = ok ? `${file} is sound: ${checks.join(", ")}.\n` : `${file} is not sound:\n`
  const details = findings.map(
    ({ code, severity, message, advice }) => `\n  ${severity} ${code}: ${message}\n    ${advice}\n`,
  )
  return [verdict, ...details].join("")
}
