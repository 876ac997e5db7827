// Requests with `Idempotency-Key` whose answers get lost on the way: each is sent again until it is answered, and must
// have been done once, with one answer.
import { Database } from "bun:sqlite"
import type { Answer } from "../../../test/support/answer.ts"
import type { Api } from "./api.ts"

interface Sent {
  key: string
  path: string
  body: object
  /** The first answer that arrived. */
  answer?: Answer
}

/** Sends notes to a lead, so many at a time, until the service is gone. */
export async function sendNotes(api: Api, lead: string, atOnce: number): Promise<Sent[]> {
  const sent: Sent[] = []
  async function sendOn(): Promise<void> {
    for (;;) {
      const key = crypto.randomUUID()
      const one: Sent = { key, path: `/leads/${lead}/notes`, body: { content: key } }
      sent.push(one)
      const answer = await api.try("POST", one.path, one.body, key)
      if (!answer) return
      one.answer = answer
    }
  }
  await Promise.all(Array.from({ length: atOnce }, sendOn))
  return sent
}

/** Sends all of them again, those that were not answered twice. Returns what is wrong, and how many were not answered. */
export async function sendAgain(api: Api, file: string, sent: readonly Sent[]) {
  const wrong: string[] = []
  const unheard = sent.filter(({ answer }) => !answer).length
  for (const { key, path, body, answer } of sent) {
    const first = answer ?? (await api.ask("POST", path, body, key))
    const again = await api.ask("POST", path, body, key)
    const [told, retold] = [first, again].map(({ status, body }) => `${status} ${JSON.stringify(body)}`)
    if (first.status !== 201) wrong.push(`${key} was answered ${told}`)
    if (again.headers.get("Idempotency-Replayed") !== "true")
      wrong.push(`${key} was not answered from what is kept`)
    if (told !== retold) wrong.push(`${key} was answered ${told}, then ${retold}`)
  }
  using db = new Database(file, { readonly: true })
  const count = db.query<{ n: number }, [string]>("SELECT count(*) AS n FROM notes WHERE content = ?")
  for (const { key } of sent) {
    const { n } = count.get(key)!
    if (n !== 1) wrong.push(`what ${key} asks for was done ${n} times`)
  }
  return { wrong, unheard }
}
