import { randomInt } from "node:crypto"

/**
 * A port for a program that must be told one: below the range from which systems choose one, so that no
 * listener on port 0 is given it meanwhile.
 */
export function chosenPort(): number {
  for (;;) {
    const port = randomInt(10_000, 30_000)
    try {
      Bun.listen({ hostname: "127.0.0.1", port, socket: { data() {} } }).stop(true)
      return port
    } catch {
      // Somebody has it.
    }
  }
}
