/** What a changelog says of a version, or of what is unreleased where it has no heading yet. */
export function notesOf(changelog: string, version: string): string {
  const parts = changelog.split(/^## /m).slice(1)
  const own =
    parts.find((part) => part.startsWith(version)) ?? parts.find((part) => /^unreleased/i.test(part))
  if (!own) throw new Error(`CHANGELOG.md says nothing of ${version}`)
  return `${own.split("\n").slice(1).join("\n").trim()}\n`
}
