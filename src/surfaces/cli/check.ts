import { statSync } from "node:fs"
import { systemClock } from "../../runtime/clock.ts"
import { checkDatabase, fileCare, type Place, repairDatabase } from "../../store/open.ts"
import type { DerivedState, FileUse, Finding, Repaired, SecretsState } from "../../store/shared/file-care.ts"
import { counted, grouped } from "../../text/text.ts"
import { createTargetRules, OPEN_TARGETS } from "../../worker/net/target-rules.ts"
import { command, type Outcome } from "./command.ts"
import { databaseFile, type Environment, flag, OPTIONS, readConfig } from "./config.ts"
import { ADMIN, existingFile, withReads } from "./database.ts"

const PRIVATE_WEBHOOKS: Finding = {
  code: "private_webhooks",
  severity: "warning",
  check: "settings",
  message: `with these settings ${OPEN_TARGETS}`,
  advice: "LEADDB_WEBHOOK_PRIVATE=block suits a server with several customers",
}

/** Whether several accounts may send webhooks into the private network, going by the environment of this command. */
async function reachesPrivateNetwork(file: string, env: Environment): Promise<boolean> {
  if (!createTargetRules(readConfig({}, env)).isOpenByDefault) return false
  return withReads({ file }, async ({ read }) => (await read.accounts.list()).length > 1)
}

export const check = command({
  name: "check",
  about: "Check the database for damage and risks; exits 1 when damaged",
  options: {
    repair: flag("mend counts, heads and what is derived from leads first"),
    databaseDirect: OPTIONS.databaseDirect,
    ...ADMIN,
  },
  async run({ data, database, databaseDirect, secretKey: key, repair }, _, io) {
    if (database !== undefined)
      return checkPostgres({ file: databaseFile(data), database, databaseDirect }, key, repair)
    const file = existingFile(data)
    const repaired = repair ? await fileCare.repair(file) : undefined
    const { checks, findings, derived, secrets } = fileCare.check(file, { now: systemClock.now(), key })
    if (findings.length === 0 && (await reachesPrivateNetwork(file, io.env))) findings.push(PRIVATE_WEBHOOKS)
    const ok = findings.every(({ severity }) => severity === "warning")
    const use = checks.includes("lead tables") ? fileCare.use(file) : undefined
    const bytes = statSync(file).size
    return {
      json: { file, bytes, ...(use && { use }), ok, checks, findings, derived, secrets, repaired },
      text:
        (repaired ? repairsText(repaired) : "") +
        verdictText(file, ok, checks, findings) +
        (use ? useText(use) : "") +
        (derived ? derivedText(derived) : "") +
        (secrets ? SECRETS[secrets] : ""),
      exitCode: ok ? 0 : 1,
    }
  },
})

async function checkPostgres(place: Place, key: string | undefined, repair: boolean): Promise<Outcome> {
  const repaired = repair ? await repairDatabase(place) : undefined
  const { checks, findings, secrets } = await checkDatabase(place, { now: systemClock.now, key })
  const ok = findings.every(({ severity }) => severity === "warning")
  return {
    json: { database: "postgres", ok, checks, findings, secrets, repaired },
    text:
      (repaired ? repairsText(repaired) : "") +
      verdictText("The PostgreSQL database", ok, checks, findings) +
      (secrets ? SECRETS[secrets] : ""),
    exitCode: ok ? 0 : 1,
  }
}

function repairsText(repaired: readonly Repaired[]): string {
  if (repaired.length === 0) return "Nothing to repair.\n"
  const lines = repaired.map(({ what, account, from, to }) =>
    what === "derived"
      ? `Repaired: derived data, from ${from} to ${to}\n`
      : `Repaired: ${what} of account ${account}, from ${from} to ${to}\n`,
  )
  return lines.join("")
}

const SECRETS: Readonly<Record<SecretsState, string>> = {
  clear: "Secrets: in clear.\n",
  encrypted: "Secrets: encrypted, and LEADDB_SECRET_KEY opens them.\n",
  "no key": "Secrets: encrypted.\n",
  "wrong key": "Secrets: encrypted with another key.\n",
}

const STATES: Readonly<Record<DerivedState["state"], string>> = {
  whole: "whole",
  behind: "behind the leads; searches see them all the same",
  missing: "missing; the service makes it again at its start",
  outdated: "outdated; the service makes it again at its start",
  damaged: "damaged",
}

function derivedText({ file, bytes, state, behind }: DerivedState): string {
  const left = behind > 0 ? ` (${counted(behind, "lead")} to follow)` : ""
  return `Derived: ${file}, ${counted(bytes, "byte")}: ${STATES[state]}${left}.\n`
}

/** The parts of the file by their size. */
function useText(use: FileUse): string {
  const all = Object.values(use).reduce((sum, bytes) => sum + bytes, 0)
  const part = (name: keyof FileUse) =>
    `${name} ${grouped(use[name])} (${Math.round((100 * use[name]) / Math.max(all, 1))} %)`
  return `Bytes: ${part("leads")}, ${part("trail")}, ${part("outbox")}, ${part("other")}, ${part("free")}.\n`
}

function verdictText(file: string, ok: boolean, checks: string[], findings: Finding[]): string {
  const verdict = ok ? `${file} is sound: ${checks.join(", ")}.\n` : `${file} is not sound:\n`
  const details = findings.map(
    ({ code, severity, message, advice }) => `\n  ${severity} ${code}: ${message}\n    ${advice}\n`,
  )
  return [verdict, ...details].join("")
}
