import { isThisMachine } from "../runtime/network.ts"
import type { Context } from "./operation.ts"

/** The origin for links that work on another machine as well, where the service is reached from there at all. */
export function linkOrigin({
  visit,
  origin,
  network,
}: Pick<Context, "visit" | "origin" | "network">): string {
  const here = visit?.origin ?? ""
  if (here !== "" && !isThisMachine(here)) return here
  const known = origin()
  return known !== undefined && !isThisMachine(known) ? known : (network()[0] ?? (here || (known ?? "")))
}
