// Ids of changes are worked out of where they stand, so that they need no room: UUIDs of version 7 with the second of
// the change as their time, its place behind it, and a check that differs from account to account and file to file.

export interface TrailIds {
  of(kind: "change" | "batch", account: number, seq: number, at: number): string
  /** The place that an id stands for; undefined for one that was not made here. */
  seqOf(kind: "change" | "batch", account: number, id: string): number | undefined
}

const FORM = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** `secret` is the file's own. */
export function createTrailIds(secret: Uint8Array): TrailIds {
  const seed = Buffer.from(secret).readUInt32LE(0)
  const hex = (value: number, digits: number) => value.toString(16).padStart(digits, "0")

  function of(kind: "change" | "batch", account: number, seq: number, at: number): string {
    const check = Bun.hash.xxHash32(`${kind}:${account}:${seq}:${at}`, seed)
    const time = hex(at * 1000, 12)
    const place = hex(seq, 10)
    const variant = hex(8 + (check & 3), 1)
    return (
      `${time.slice(0, 8)}-${time.slice(8)}-7${place.slice(0, 3)}-${variant}${place.slice(3, 6)}-` +
      `${place.slice(6)}${hex(check, 8)}`
    )
  }

  return {
    of,
    seqOf(kind, account, id) {
      if (!FORM.test(id)) return undefined
      const digits = id.replaceAll("-", "")
      const seq = Number.parseInt(digits.slice(13, 16) + digits.slice(17, 24), 16)
      const at = Number.parseInt(digits.slice(0, 12), 16) / 1000
      return of(kind, account, seq, at) === id ? seq : undefined
    },
  }
}
