import { describe, expect, test } from "bun:test"
import { signAdHoc } from "../../scripts/build/sign-macos.ts"

const LINKEDIT = 32
const SIGNATURE = 32 + 72
const CODE = 8_192 + 100

/** The least that is a Mach-O with a signature to replace: two commands, code of two pages and a bit. */
function executable(): Uint8Array {
  const bytes = new Uint8Array(CODE + 50).fill(7)
  const view = new DataView(bytes.buffer)
  const words = (at: number, ...values: number[]) => {
    for (const [i, value] of values.entries()) view.setUint32(at + 4 * i, value, true)
  }
  words(0, 0xfeedfacf, 0x01000007, 3, 2, 2, 72 + 16, 0, 0)
  words(LINKEDIT, 0x19, 72)
  bytes.set(new TextEncoder().encode("__LINKEDIT\0\0\0\0\0\0"), LINKEDIT + 8)
  for (const [at, value] of [
    [24, 8_192],
    [32, 4_096],
    [40, 8_192],
    [48, 150],
  ] as const) {
    view.setBigUint64(LINKEDIT + at, BigInt(value), true)
  }
  words(SIGNATURE, 0x1d, 16, CODE, 50)
  return bytes
}

describe("the ad-hoc signature of a macOS executable", () => {
  const signed = signAdHoc(executable(), "leaddb")
  const view = new DataView(signed.buffer)

  test("stands where the old one stood, and the commands know its size", () => {
    expect(view.getUint32(CODE)).toBe(0xfade0cc0)
    expect(view.getUint32(SIGNATURE + 12, true)).toBe(signed.length - CODE)
    expect(view.getBigUint64(LINKEDIT + 48, true)).toBe(BigInt(signed.length - 8_192))
  })

  test("covers all that is before it, page by page, its own commands included", () => {
    const directory = CODE + 20
    const [hashes, pages, limit] = [16, 28, 32].map((at) => view.getUint32(directory + at))
    expect([pages, limit]).toEqual([3, CODE])
    for (let page = 0; page < 3; page++) {
      const content = signed.subarray(page * 4_096, Math.min((page + 1) * 4_096, CODE))
      const at = directory + hashes! + page * 32
      expect(Buffer.from(signed.subarray(at, at + 32))).toEqual(
        Buffer.from(Bun.SHA256.hash(content) as Uint8Array),
      )
    }
  })

  test("can be made anew, to the same bytes", () => {
    expect(signAdHoc(signed, "leaddb")).toEqual(signed)
  })

  test("is refused to what is no such executable", () => {
    expect(() => signAdHoc(new Uint8Array(64), "leaddb")).toThrow("not a 64-bit Mach-O")
  })
})
