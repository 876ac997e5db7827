// Numbers of accounts that are worked out of rows: looked at and mended in both engines.
import type { Finding, Repaired } from "../../shared/file-care.ts"

export const REPAIR = "leaddb check --repair mends it"
/** Accounts that are named. */
export const NAMED = 20

/** How each is, of an account `a`, and whether it is wrong. */
const NUMBERS = {
  lead_count: { real: "SELECT count(*) FROM leads l WHERE l.account_id = a.key", wrong: "<>" },
  lead_head: { real: "SELECT coalesce(max(rid), 0) FROM leads l WHERE l.account_id = a.key", wrong: "<" },
  suppression_count: {
    real: "SELECT count(*) FROM suppressions s WHERE s.account_id = a.key",
    wrong: "<>",
  },
  // Kinds of entries on the do-not-contact list, as bits (`KIND_BITS`)
  suppressed_kinds: {
    real: `SELECT coalesce(sum(DISTINCT CASE s.kind WHEN 'email' THEN 1 WHEN 'domain' THEN 2 WHEN 'phone' THEN 4 ELSE 8 END), 0)
      FROM suppressions s WHERE s.account_id = a.key`,
    wrong: "<>",
  },
  trail_head: { real: "SELECT coalesce(max(seq), 0) FROM trail t WHERE t.account_id = a.key", wrong: "<" },
} as const

type KeptNumber = keyof typeof NUMBERS

export interface WrongNumber extends Repaired {
  what: KeptNumber
  account: string
  from: number
  to: number
}

/** Statements that read the wrong ones, so many of each number; a file has no `lead_head`. */
export function wrongNumberStatements(isFile: boolean, most: number): string[] {
  const all = Object.keys(NUMBERS) as KeptNumber[]
  return all
    .filter((what) => !isFile || what !== "lead_head")
    .map((what) => {
      const { real, wrong } = NUMBERS[what]
      return `SELECT '${what}' AS what, id AS account, ${what} AS "from", (${real}) AS "to" FROM accounts a
        WHERE ${what} ${wrong} (${real}) ORDER BY key LIMIT ${most}`
    })
}

/** Sets what entries of the do-not-contact list are counted by, of all accounts. */
export const COUNT_ENTRIES = `UPDATE accounts AS a SET suppression_count = (${NUMBERS.suppression_count.real}),
  suppressed_kinds = (${NUMBERS.suppressed_kinds.real})`

export function numberFinding({ what, account, from, to }: WrongNumber): Finding {
  const message =
    what === "lead_count"
      ? `account ${account} is charged for ${from} leads and has ${to}`
      : what.startsWith("suppress")
        ? `account ${account} has another do-not-contact list than it counts: leads on it may come in`
        : `account ${account} counts ${what === "lead_head" ? "its leads" : "its changes"} up to ${from} and has one with number ${to}`
  return { code: `wrong_${what}`, severity: "error", check: "lead counts", message, advice: REPAIR }
}
