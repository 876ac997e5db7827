// Stages in the store's contract.
import type { Stage } from "../../lead/stage.ts"

export interface StageReads {
  /** By position. */
  list(account: number): Promise<Stage[]>
}

export interface StageWrites {
  /** Adds a stage, or replaces the one with its id, also a removed one. */
  put(account: number, stage: Stage): Promise<void>
  /** Keeps it for `findRemoved`. */
  remove(account: number, id: string): Promise<void>
  findRemoved(account: number, id: string): Promise<Stage | undefined>
}
