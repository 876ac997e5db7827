// The sign-in of AI clients against every threat of RFC 9700 that applies to it.
import { join } from "node:path"
import { createRandom } from "../seed/random.ts"
import { openDoor } from "./abuse/doors.ts"
import { type Ground, NOT_APPLICABLE, THREATS } from "./abuse/rfc9700.ts"
import { createSignIn } from "./abuse/sign-in.ts"
import type { Row, RowOptions, RowResult } from "./row.ts"

const ATTACKS = 300
const SHORT_ATTACKS = 4

export const oauth: Row = {
  number: 14,
  name: "oauth",
  must: "every threat of RFC 9700 that applies, refused: code replay, other clients' codes, redirects, PKCE, CSRF",
  seconds: 900,
  run,
}

async function run(options: RowOptions): Promise<RowResult> {
  const { short, seed, seconds, folder, progress } = options
  await using door = await openDoor(join(folder, "sign-in"))
  const signIn = createSignIn(door)
  const [client, other] = [await signIn.register(), await signIn.register()]
  const ground: Ground = { door, signIn, client, other, random: createRandom(seed) }
  const end = performance.now() + seconds * 1_000
  const wanted = short ? SHORT_ATTACKS : ATTACKS
  const successes: string[] = []
  let done = 0
  for (const { section, name, tests, attack } of THREATS) {
    const before = successes.length
    for (let i = 0; i < wanted && performance.now() < end; i++, done++) {
      // Failed sign-ins are limited for a while; what is tried here is what comes before that.
      door.wait(60_000)
      const problem = await attack(ground)
      if (problem !== undefined) successes.push(`RFC 9700 ${section}, ${name}: ${problem}`)
    }
    if (!short) {
      const outcome =
        successes.length === before ? `${wanted} refused` : `${successes.length - before} SUCCEEDED`
      progress(`${section} ${name}: ${outcome}; see ${tests}`)
    }
  }
  if (!short)
    for (const [threat, why] of Object.entries(NOT_APPLICABLE)) progress(`${threat}: does not apply, ${why}`)
  for (const success of successes.slice(0, 10)) progress(success)
  return {
    ok: successes.length === 0 && door.errors.length === 0 && done === wanted * THREATS.length,
    result: `${done} attacks on ${THREATS.length} threats of RFC 9700: ${successes.length} successes; ${Object.keys(NOT_APPLICABLE).length} do not apply`,
    numbers: { done, successes: successes.length, defects: door.errors.length },
  }
}
