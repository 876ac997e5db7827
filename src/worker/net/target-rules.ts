import { networkInterfaces } from "node:os"
import type { WebhookRules } from "../../core/operation.ts"
import { startDeadline, unlessAborted } from "../deliveries/deadline.ts"
import { type AddressPolicy, parsePolicy, resolveTarget } from "./address-guard.ts"
import { lookupHost } from "./lookup.ts"

/** How long a host may take to be looked up while somebody waits for the answer. */
const LOOKUP_MS = 2_000

export interface TargetRules extends WebhookRules {
  policy: AddressPolicy
  /** Adds a port that this service listens on. */
  keepOut(port: number): void
}

/** Where webhooks may point, as the configuration says. Throws an Error that names a malformed range. */
export function createTargetRules(config: {
  webhookPrivate: "auto" | "allow" | "block"
  webhookAllowCidrs: readonly string[]
  host: string
}): TargetRules {
  const policy = parsePolicy({
    mode: config.webhookPrivate,
    allowCidrs: config.webhookAllowCidrs.join(","),
    listenHost: config.host,
    ports: [],
    ownAddresses: Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address)),
  })
  return {
    policy,
    keepOut: (port) => void policy.ownPorts.push(port),
    async refuse(url) {
      const deadline = startDeadline(LOOKUP_MS)
      try {
        const target = await unlessAborted(resolveTarget(url, policy, lookupHost), deadline.signal)
        // A host that cannot be found now may come up later.
        return target.ok || target.cause === "lookup" ? undefined : target.reason
      } catch {
        return undefined
      } finally {
        deadline.end()
      }
    },
  }
}
