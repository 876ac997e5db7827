/**
 * Whether something that tests need is missing on this machine; says in one line what is skipped and what would help.
 */
export function isMissing(what: string, found: unknown, help: string): boolean {
  if (found) return false
  process.stderr.write(`skipped: ${what}: ${help}\n`)
  return true
}
