import { statSync } from "node:fs"
import { systemClock } from "../../runtime/clock.ts"
import { checkDatabase, fileCare, repairDatabase } from "../../store/open.ts"
import type {
  CheckReport,
  DerivedState,
  FileUse,
  Finding,
  Repaired,
  SecretsState,
} from "../../store/shared/file-care.ts"
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
    if (database !== undefined) {
      const place = { file: databaseFile(data), database, databaseDirect }
      const repaired = repair ? await repairDatabase(place) : undefined
      const checked = await checkDatabase(place, { now: systemClock.now, key })
      return outcomeOf("The PostgreSQL database", { database: "postgres" }, checked, repaired)
    }
    const file = existingFile(data)
    const repaired = repair ? await fileCare.repair(file) : undefined
    const checked = fileCare.check(file, { now: systemClock.now(), key })
    const { checks, findings } = checked
    if (findings.length === 0 && (await reachesPrivateNetwork(file, io.env))) findings.push(PRIVATE_WEBHOOKS)
    const use = checks.includes("lead tables") ? fileCare.use(file) : undefined
    return outcomeOf(file, { file, bytes: statSync(file).size, ...(use && { use }) }, checked, repaired)
  },
})

function outcomeOf(
  name: string,
  place: { use?: FileUse; [field: string]: unknown },
  { checks, findings, derived, secrets }: CheckReport,
  repaired: readonly Repaired[] | undefined,
): Outcome {
  const ok = findings.every(({ severity }) => severity === "warning")
  return {
    json: { ...place, ok, checks, findings, derived, secrets, repaired },
    text:
      (repaired ? repairsText(repaired) : "") +
      verdictText(name, ok, checks, findings) +
      (place.use ? useText(place.use) : "") +
      (derived ? derivedText(derived) : "") +
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
