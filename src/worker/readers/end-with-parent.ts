// Ends a process with the one that started it, also while it is busy and would not notice that its channel was closed.
import { dlopen } from "bun:ffi"

/** prctl(2): the signal that the process gets when its parent ends. */
const PR_SET_PDEATHSIG = 1
const SIGKILL = 9
const LIBRARIES = ["libc.so.6", "libc.so"]

/** Linux alone has this; elsewhere a reader that hangs is ended by the service's next start. */
export function endWithParent(): void {
  for (const library of LIBRARIES) {
    try {
      const { symbols } = dlopen(library, { prctl: { args: ["i32", "u64"], returns: "i32" } })
      symbols.prctl(PR_SET_PDEATHSIG, SIGKILL)
      return
    } catch {
      // Another C library, or a system without prctl.
    }
  }
}
