// Asks a captcha's provider whether an answer is right, as webhooks are sent: to checked addresses, within five seconds.

import { CAPTCHA_WIDGETS } from "../../domain/forms/snippet.ts"
import type { Clock } from "../../runtime/clock.ts"
import type { Form } from "../../store/contract/store.ts"
import { send } from "../../worker/deliveries/send.ts"
import type { AddressPolicy } from "../../worker/net/address-guard.ts"

/** Questions under way of all forms, and of one account. */
const AT_ONCE = 128
const OF_ACCOUNT = 32

type CaptchaVerdict = "passed" | "captcha" | "captcha_unavailable"

/** Checks the answer in a post; `address` is that of its sender. */
type CheckCaptcha = (
  form: Form,
  answer: unknown,
  from: { account: number; address: string },
) => Promise<CaptchaVerdict>

export function createCaptchaCheck(policy: AddressPolicy, clock: Clock): CheckCaptcha {
  const busy = new Map<number, number>()
  let all = 0

  async function ask(form: Form, answer: string, address: string): Promise<CaptchaVerdict> {
    const outcome = await send({
      url: form.captcha!.verify_url,
      headers: { "Content-Type": "application/x-www-form-urlencoded", Accept: "application/json" },
      body: new URLSearchParams({ secret: form.secret!, response: answer, remoteip: address }).toString(),
      policy,
      clock,
    })
    if (!outcome.ok) return "captcha_unavailable"
    return /"success"\s*:\s*true\b/.test(outcome.answer) ? "passed" : "captcha"
  }

  return async (form, answer, { account, address }) => {
    if (typeof answer !== "string" || answer === "" || answer.length > 4_096) return "captcha"
    const own = busy.get(account) ?? 0
    if (!form.secret || all >= AT_ONCE || own >= OF_ACCOUNT) return "captcha_unavailable"
    all++
    busy.set(account, own + 1)
    try {
      return await ask(form, answer, address)
    } finally {
      all--
      const left = busy.get(account)! - 1
      if (left > 0) busy.set(account, left)
      else busy.delete(account)
    }
  }
}

/** The part of a post that holds the answer. */
export function answerName({ provider }: NonNullable<Form["captcha"]>): string {
  return CAPTCHA_WIDGETS[provider].answer
}
