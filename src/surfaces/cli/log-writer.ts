import type { Writable } from "node:stream"

/** Characters that may wait for a reader before lines are dropped. */
const MOST = 4 * 1024 * 1024

/**
 * Writes log lines for as long as their reader keeps up: a service must not fill its memory for a log collector that
 * hangs. `warn` is called when that begins.
 */
export function logWriter(stream: Writable, warn: () => void): (lines: string) => void {
  let waiting = 0
  let isDropping = false
  return (lines) => {
    if (waiting + lines.length > MOST) {
      if (!isDropping) warn()
      isDropping = true
      return
    }
    isDropping = false
    waiting += lines.length
    stream.write(lines, () => {
      waiting -= lines.length
    })
  }
}
