/** Writes whole numbers in as few bytes as they need, seven bits each, the lowest first. */
export interface ByteWriter {
  byte(value: number): void
  /** From 0 to 2^53. */
  number(value: number): void
  /** Also below 0. */
  signed(value: number): void
  bytes(value: Uint8Array): void
  done(): Uint8Array
}

export function createByteWriter(): ByteWriter {
  let buffer = Buffer.allocUnsafe(256)
  let at = 0
  function room(bytes: number): void {
    if (at + bytes <= buffer.length) return
    const larger = Buffer.allocUnsafe(Math.max(buffer.length * 2, at + bytes))
    buffer.copy(larger, 0, 0, at)
    buffer = larger
  }
  function number(value: number): void {
    room(8)
    let rest = value
    while (rest > 0x7f) {
      buffer[at++] = (rest % 0x80) | 0x80
      rest = Math.floor(rest / 0x80)
    }
    buffer[at++] = rest
  }
  return {
    byte(value) {
      room(1)
      buffer[at++] = value
    },
    number,
    signed: (value) => number(value < 0 ? -2 * value - 1 : 2 * value),
    bytes(value) {
      room(value.length)
      buffer.set(value, at)
      at += value.length
    },
    done: () => new Uint8Array(buffer.subarray(0, at)),
  }
}

export interface ByteReader {
  byte(): number
  number(): number
  signed(): number
  bytes(length: number): Uint8Array
  skip(length: number): void
}

export function createByteReader(data: Uint8Array): ByteReader {
  let at = 0
  function number(): number {
    let value = 0
    for (let factor = 1; ; factor *= 0x80) {
      const byte = data[at++]!
      value += (byte & 0x7f) * factor
      if (byte < 0x80) return value
    }
  }
  return {
    byte: () => data[at++]!,
    number,
    signed() {
      const value = number()
      return value % 2 === 1 ? -(value + 1) / 2 : value / 2
    },
    bytes(length) {
      at += length
      return data.subarray(at - length, at)
    },
    skip(length) {
      at += length
    },
  }
}
