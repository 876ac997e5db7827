import { networkInterfaces } from "node:os"
import { systemClock } from "../../src/runtime/clock.ts"
import type { SendRequest } from "../../src/worker/deliveries/send.ts"
import { isMissing } from "../support/missing.ts"

const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === "::1"),
)

/** Whether this machine has no ::1 at all. */
export const isWithoutIpv6 = isMissing("what needs IPv6", hasIpv6, "this machine has no address ::1")

/** A delivery to a receiver on loopback, given a minute: what ends ends by itself. */
export function deliveryTo(url: string, changes: Partial<SendRequest> = {}): SendRequest {
  return {
    url,
    headers: { "Content-Type": "application/json" },
    body: '{"event":"lead.created"}',
    policy: { allowPrivate: true, allowCidrs: [], ownPorts: [] },
    clock: systemClock,
    timeoutMs: 60_000,
    ...changes,
  }
}
