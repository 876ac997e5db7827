import { platform } from "node:os"
import { dns } from "bun"
import type { Lookup } from "./address-guard.ts"

/**
 * The addresses of a host, asked for without a thread: on Linux the usual way takes one of a few threads for as long
 * as a name server stays silent, and 64 such hosts held up all others for minutes. Knows /etc/hosts.
 */
export const lookupHost: Lookup = async (hostname) => {
  try {
    return await dns.lookup(hostname, platform() === "linux" ? { backend: "c-ares" } : {})
  } catch (error) {
    // Bun says DNS_ENOTFOUND where others say ENOTFOUND.
    const code =
      error instanceof Error && "code" in error ? String(error.code).replace(/^DNS_/, "") : "unknown"
    throw Object.assign(new Error(`lookup of ${hostname} failed`), { code, cause: error })
  }
}
