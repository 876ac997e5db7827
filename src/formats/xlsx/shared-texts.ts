// The texts that a workbook shares among its cells, of which there may be a million: a string each takes three times as
// much memory, and as a part of the XML that it was read from it keeps all of that.

/** Texts that are joined to one string. */
const JOINED = 4_096

export class SharedTexts {
  private readonly joined: { text: string; ends: Uint32Array }[] = []
  private waiting: string[] = []

  get length(): number {
    return this.joined.length * JOINED + this.waiting.length
  }

  push(text: string): void {
    if (this.waiting.push(text) < JOINED) return
    let size = 0
    const ends = Uint32Array.from(this.waiting, ({ length }) => (size += length))
    // Encoded and decoded: a joined string would go on to keep the ones that it was joined from.
    this.joined.push({ text: copied(this.waiting.join("")), ends })
    this.waiting = []
  }

  /** Undefined for a number that no text has. */
  at(index: number): string | undefined {
    const part = this.joined[Math.floor(index / JOINED)]
    if (!part) return this.waiting[index - this.joined.length * JOINED]
    const i = index % JOINED
    if (!Number.isInteger(i)) return undefined
    return part.text.slice(i === 0 ? 0 : part.ends[i - 1], part.ends[i])
  }
}

function copied(text: string): string {
  const encoding = /[^\0-\xff]/.test(text) ? "utf16le" : "latin1"
  return Buffer.from(text, encoding).toString(encoding)
}
