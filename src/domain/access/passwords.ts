// Passwords of members: argon2id, which takes 19 MiB and some 30 ms on a thread of its own.
import * as v from "valibot"
import { maxCharacters } from "../../lead/fields.ts"
import { AppError } from "../../runtime/errors.ts"

const HASH = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const
/** Hashes computed at once, and hashes that may wait: unauthenticated clients can request them. */
const AT_ONCE = 2
const WAITING_MOST = 32

export const Password = v.pipe(
  v.string("must be text"),
  v.minLength(10, "must have at least 10 characters"),
  maxCharacters(200, "must have at most 200 characters"),
)

let working = 0
const waiting: (() => void)[] = []

export const hashPassword = (password: string) => inTurn(() => Bun.password.hash(password, HASH))
export const isPassword = (password: string, hash: string) =>
  inTurn(() => Bun.password.verify(password, hash))

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (working >= AT_ONCE) {
    if (waiting.length >= WAITING_MOST) {
      throw new AppError("unavailable", "Too many are signing in at once; try again in a moment")
    }
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
  working++
  try {
    return await work()
  } finally {
    working--
    waiting.shift()?.()
  }
}
