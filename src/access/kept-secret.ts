import { badRequest } from "../runtime/errors.ts"

interface KeptSecret {
  /** The input's names of the two, such as `captcha.verify_url`. */
  names: { address: string; secret: string }
  /** What is kept; no secret where nothing is. */
  before: { address: string; secret: string | null }
  /** The address from now on. */
  address: string
  /** As it was sent; undefined where it was left out. */
  sent: string | null | undefined
}

/**
 * Throws `bad_request` where a kept secret would be used at another address than the one that it was given for: whoever
 * may change the address need not know the secret.
 */
export function refuseMovedSecret({ names, before, address, sent }: KeptSecret): void {
  if (before.secret === null || sent !== undefined || address === before.address) return
  throw badRequest(
    `${names.address} changes, and ${names.secret} was given for the address before: send ${names.secret} again with the new address`,
  )
}
