// Fair turns between accounts at a few places, such as threads: the accounts that wait take turns, one after the other.
// An account holds a part of the places at most, and has a bounded number of turns waiting.

/** One turn. */
export interface Turn<Place> {
  account: number
  /** The place that the turn needs, where it cannot have another. */
  needs?: Place | undefined
  /** Called when the turn has its place. */
  begin(place: Place): void
}

export interface TurnLimits {
  /** Places that one account may hold at a time. */
  ofAccount: number
  /** Turns of one account that may wait. */
  waiting: number
}

interface Turns<Place> {
  /** Queues a turn and begins what can begin. False, and nothing is queued, when too many of the account wait. */
  take(turn: Turn<Place>, isContinued?: boolean): boolean
  /** Ends a turn that has begun, and begins others in its place. */
  end(turn: Turn<Place>): void
  /** Removes a turn that waits; false when it does not. */
  drop(turn: Turn<Place>): boolean
  /** Turns of an account that wait. */
  waiting(account: number): number
}

/** `free` gives a place for a turn and holds it, or undefined while there is none; `release` gives it back. */
export function createTurns<Place>(
  { ofAccount, waiting: most }: TurnLimits,
  places: { free(needed: Place | undefined): Place | undefined; release(place: Place): void },
): Turns<Place> {
  /** The turns that wait, by account: the account that has waited longest since its last turn comes first. */
  const queues = new Map<number, Turn<Place>[]>()
  const held = new Map<number, number>()
  const taken = new Map<Turn<Place>, Place>()

  function beginOne(): boolean {
    for (const [account, queue] of queues) {
      if ((held.get(account) ?? 0) >= ofAccount) continue
      for (const [at, turn] of queue.entries()) {
        const place = places.free(turn.needs)
        if (place === undefined) continue
        queue.splice(at, 1)
        queues.delete(account)
        if (queue.length > 0) queues.set(account, queue)
        held.set(account, (held.get(account) ?? 0) + 1)
        taken.set(turn, place)
        turn.begin(place)
        return true
      }
    }
    return false
  }

  function drop(turn: Turn<Place>): boolean {
    const queue = queues.get(turn.account) ?? []
    const at = queue.indexOf(turn)
    if (at < 0) return false
    queue.splice(at, 1)
    if (queue.length === 0) queues.delete(turn.account)
    return true
  }

  function beginAll(): void {
    while (beginOne());
  }

  return {
    take(turn, isContinued = false) {
      const queue = queues.get(turn.account) ?? []
      queue.push(turn)
      queues.set(turn.account, queue)
      beginAll()
      return isContinued || queue.length <= most || !drop(turn)
    },
    end(turn) {
      const place = taken.get(turn)
      if (place === undefined) return
      taken.delete(turn)
      const left = held.get(turn.account)! - 1
      if (left > 0) held.set(turn.account, left)
      else held.delete(turn.account)
      places.release(place)
      beginAll()
    },
    drop,
    waiting: (account) => queues.get(account)?.length ?? 0,
  }
}
