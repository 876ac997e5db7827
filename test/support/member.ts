// Members of an account, and what they do in a browser.
import type { Answer } from "./answer.ts"
import type { Call, TestAccount } from "./app.ts"
import { ask } from "./ask.ts"

export const PASSWORD = "correct horse battery"

/** The cookie that an answer sets, as a browser sends it. */
export const cookieOf = ({ headers }: Pick<Answer, "headers">) => headers.get("set-cookie")!.split(";")[0]!

/** Requests of a page of the service itself, with the cookie of a session. */
export function browser({ app }: Pick<TestAccount, "app">, cookie: string): Call {
  const own = { Cookie: cookie, "Sec-Fetch-Site": "same-origin" }
  return (method, path, body, headers) => ask(app, undefined, method, path, body, { ...own, ...headers })
}

export const join = ({ as }: Pick<TestAccount, "as">, invite: string) =>
  as("")("POST", "/members/join", { invite, password: PASSWORD })

/** A member who has joined, and requests of their session. */
export async function addMember(service: TestAccount, name: string, role = "owner") {
  const { body } = await service.call("POST", "/members", { name, role })
  const cookie = cookieOf(await join(service, body.invite))
  return { id: body.id as string, cookie, ask: browser(service, cookie) }
}
