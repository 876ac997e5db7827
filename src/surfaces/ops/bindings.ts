import type { Trace } from "./observer.ts"

/** Values that the listener passes along with a request. */
export interface RestBindings {
  readonly address: string
  /** Lifts the idle timeout of this request: for long answers. */
  keepOpen(): void
  /** Throws when another file could not be sent now: before work is done for it. */
  expectFile(): void
  /** Takes what becomes known of the request. */
  readonly trace: Trace
}
export type RestEnv = { Bindings: RestBindings }
