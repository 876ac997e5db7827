// The ad-hoc signature of a macOS executable. Bun signs the arm64 executables that it makes, since no Apple silicon
// runs one without. In those for Intel it leaves the signature of its own release, which its changes made wrong: a
// system that checks it ends the program. So they get the same kind of signature here.
//
// Layout: a 64-bit Mach-O with LC_CODE_SIGNATURE at the end of __LINKEDIT (Apple's <mach-o/loader.h>), in it one
// CodeDirectory with a SHA-256 of each page (Apple's <kern/cs_blobs.h>, big endian).

const LC_SEGMENT_64 = 0x19
const LC_CODE_SIGNATURE = 0x1d
const PAGE = 4096
/** Of a CodeDirectory of version 0x20400. */
const DIRECTORY_BYTES = 88
const SUPERBLOB_BYTES = 20
const ADHOC_LINKER_SIGNED = 0x20002
const MAIN_BINARY = 1n

/** The same executable with an ad-hoc signature in place of the one it has. Throws for what is no such file. */
export function signAdHoc(executable: Uint8Array, identifier: string): Uint8Array<ArrayBuffer> {
  const found = findCommands(executable)
  const limit = found.signatureOffset
  const pages = Math.ceil(limit / PAGE)
  const name = new TextEncoder().encode(`${identifier}\0`)
  const size = SUPERBLOB_BYTES + DIRECTORY_BYTES + name.length + pages * 32
  const signed = new Uint8Array(limit + size)
  signed.set(executable.subarray(0, limit))
  const view = new DataView(signed.buffer)
  view.setUint32(found.signature + 12, size, true)
  const linkedit = limit + size - Number(view.getBigUint64(found.linkedit + 40, true))
  view.setBigUint64(found.linkedit + 48, BigInt(linkedit), true)
  view.setBigUint64(found.linkedit + 32, BigInt(Math.ceil(linkedit / 16_384) * 16_384), true)
  writeDirectory(new DataView(signed.buffer, limit), { limit, pages, name, size, text: found.textBytes })
  signed.set(name, limit + SUPERBLOB_BYTES + DIRECTORY_BYTES)
  const hashes = limit + SUPERBLOB_BYTES + DIRECTORY_BYTES + name.length
  for (let page = 0; page < pages; page++) {
    const bytes = signed.subarray(page * PAGE, Math.min((page + 1) * PAGE, limit))
    signed.set(Bun.SHA256.hash(bytes) as Uint8Array, hashes + page * 32)
  }
  return signed
}

/** Where the commands are that say where things are. */
function findCommands(executable: Uint8Array) {
  const view = new DataView(executable.buffer, executable.byteOffset, executable.byteLength)
  if (view.getUint32(0, true) !== 0xfeedfacf) throw new Error("not a 64-bit Mach-O executable")
  const found = { signature: 0, signatureOffset: 0, linkedit: 0, textBytes: 0n }
  const count = view.getUint32(16, true)
  for (let i = 0, at = 32; i < count; i++, at += view.getUint32(at + 4, true)) {
    const kind = view.getUint32(at, true)
    if (kind === LC_CODE_SIGNATURE) {
      found.signature = at
      found.signatureOffset = view.getUint32(at + 8, true)
    }
    if (kind !== LC_SEGMENT_64) continue
    const segment = new TextDecoder().decode(executable.subarray(at + 8, at + 24)).replace(/\0+$/, "")
    if (segment === "__LINKEDIT") found.linkedit = at
    if (segment === "__TEXT") found.textBytes = view.getBigUint64(at + 48, true)
  }
  if (!found.signature || !found.linkedit)
    throw new Error("the Mach-O executable has no signature to replace")
  return found
}

interface Directory {
  limit: number
  pages: number
  name: Uint8Array
  /** Of the whole signature. */
  size: number
  text: bigint
}

function writeDirectory(view: DataView, { limit, pages, name, size, text }: Directory): void {
  const words = (at: number, ...values: number[]) => {
    for (const [i, value] of values.entries()) view.setUint32(at + 4 * i, value)
  }
  words(0, 0xfade0cc0, size, 1, 0, SUPERBLOB_BYTES)
  const at = SUPERBLOB_BYTES
  const hashOffset = DIRECTORY_BYTES + name.length
  words(at, 0xfade0c02, size - SUPERBLOB_BYTES, 0x20400, ADHOC_LINKER_SIGNED)
  words(at + 16, hashOffset, DIRECTORY_BYTES, 0, pages, limit)
  // Bytes in a hash, SHA-256, no platform, pages of 2^12.
  words(at + 36, 0x20_02_00_0c)
  view.setBigUint64(at + 72, text)
  view.setBigUint64(at + 80, MAIN_BINARY)
}
