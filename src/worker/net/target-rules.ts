import { networkInterfaces } from "node:os"
import type { WebhookRules } from "../../domain/operation.ts"
import { type AddressPolicy, lookupHost, parsePolicy, resolveTarget } from "./address-guard.ts"
import { startDeadline, unlessAborted } from "./network-failure.ts"

/** Milliseconds for looking up a host while a request waits. */
const LOOKUP_MS = 2_000

/** A warning for operators of several accounts who have not configured private targets. */
export const OPEN_TARGETS =
  "webhooks of every account may reach this machine and its private network: set LEADDB_WEBHOOK_PRIVATE to block, or to allow if that is meant"

interface TargetRules extends WebhookRules {
  policy: AddressPolicy
  /** Private targets are allowed by default, not by configuration: meant for the machine's owner, not for tenants. */
  isOpenByDefault: boolean
  /** Adds a port that this service listens on. */
  keepOut(port: number): void
}

/** Where webhooks may point, as the configuration says. Throws an Error that names a malformed range. */
export function createTargetRules(config: {
  webhookPrivate: "auto" | "allow" | "block"
  webhookAllowCidrs: readonly string[]
  host: string
  publicUrl?: string | undefined
  mcpPublicUrl?: string | undefined
  proxySecret?: string | undefined
  trustedProxies: readonly string[]
}): TargetRules {
  const policy = parsePolicy({
    mode: config.webhookPrivate,
    isPublic: isBehindProxy(config),
    allowCidrs: config.webhookAllowCidrs.join(","),
    listenHost: config.host,
    ports: [],
    ownAddresses: Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address)),
  })
  return {
    policy,
    keepOut: (port) => void policy.ownPorts.push(port),
    isOpenByDefault: config.webhookPrivate === "auto" && policy.allowPrivate,
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

/** Whether public URLs or a proxy are configured: then the service has remote clients although it listens on loopback. */
function isBehindProxy(config: Parameters<typeof createTargetRules>[0]): boolean {
  const { publicUrl, mcpPublicUrl, proxySecret, trustedProxies } = config
  return (
    [publicUrl, mcpPublicUrl, proxySecret].some((said) => said !== undefined) || trustedProxies.length > 0
  )
}
