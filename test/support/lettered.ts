import type { TestAccount } from "./app.ts"

/** Creates leads by letter: each has it as its source, by which it is found again, and as the name that it lacks. Their ids. */
export async function create(
  { call }: Pick<TestAccount, "call">,
  leads: Record<string, object>,
): Promise<Record<string, string>> {
  const ids: Record<string, string> = {}
  for (const [letter, fields] of Object.entries(leads)) {
    const { status, body } = await call("POST", "/leads", { name: letter, ...fields, source: letter })
    if (status !== 201) throw new Error(`lead ${letter}: ${JSON.stringify(body)}`)
    ids[letter] = body.id
  }
  return ids
}

/** The letters of leads, in their order. */
export const lettersOf = (leads: readonly { source: string }[]): string =>
  leads.map(({ source }) => source).join("")
