// Limits of posts to forms, by the sender's address and by the form.

import { limitPerForm } from "../../domain/forms/form.ts"
import type { Clock } from "../../runtime/clock.ts"
import { AppError } from "../../runtime/errors.ts"
import type { Form, RequestCounts } from "../../store/contract/store.ts"
import { grouped } from "../../text/text.ts"
import { addressKey } from "../http/client-address.ts"
import { createSlidingWindows, sharedWindows, type Windows } from "../http/rate-limit.ts"

const MINUTE = 60_000

/** Counts a post. Throws `rate_limit_exceeded`. */
type AdmitPost = (form: Form, address: string) => Promise<void>

/** Where `counts` are given, they are those of all processes together. */
export function createPostLimits(clock: Clock, counts?: RequestCounts): AdmitPost {
  const windowsOf = (what: string): Windows<string> =>
    counts ? sharedWindows(counts, clock, what, MINUTE) : createSlidingWindows(clock, MINUTE)
  const addresses = windowsOf("form-address")
  const forms = windowsOf("form")
  return async (form, address) => {
    const own = await addresses.take(`${form.id}/${addressKey(address)}`, form.limit_per_address)
    if (!own.allowed) throw refusal(form.limit_per_address, " from one address", own.headers)
    const limit = limitPerForm(form)
    const all = await forms.take(form.id, limit)
    if (!all.allowed) throw refusal(limit, "", all.headers)
  }
}

function refusal(limit: number, from: string, headers: Record<string, string>): AppError {
  return new AppError(
    "rate_limit_exceeded",
    `This form takes ${grouped(limit)} posts a minute${from}; try again in ${headers["Retry-After"]} s`,
    { headers },
  )
}
