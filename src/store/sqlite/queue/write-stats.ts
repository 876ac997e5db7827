import { createHistogram, type Histogram } from "../../../core/histogram.ts"

const SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256]
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5]

/** How the write queue does. */
export interface WriteStats {
  /** Groups and the writes in them that were committed. */
  groups: number
  writes: number
  readonly sizes: Histogram
  readonly seconds: Histogram
  begin(): void
  /** A group has ended: with the error of the file or the disk that kept it from being written, if there was one. */
  end(size: number, failure: unknown): void
  /** The error of the last group. */
  failure(): unknown
  /** Milliseconds since the group under way began; 0 when there is none. */
  underWay(): number
}

export function createWriteStats(): WriteStats {
  const sizes = createHistogram(SIZES)
  const seconds = createHistogram(SECONDS)
  let began: number | undefined
  let last: unknown
  return {
    groups: 0,
    writes: 0,
    sizes,
    seconds,
    begin() {
      began = performance.now()
    },
    end(size, failure) {
      if (failure === undefined) {
        this.groups++
        this.writes += size
        sizes.observe(size)
        seconds.observe((performance.now() - began!) / 1000)
      }
      began = undefined
      last = failure
    },
    failure: () => last,
    underWay: () => (began === undefined ? 0 : performance.now() - began),
  }
}
