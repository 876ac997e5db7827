/** A part of the service, such as the store, a timer or a listener. */
interface Part<T> {
  open(): T | Promise<T>
  close?(part: T): unknown
}

/** The parts of the service as an ordered list. */
export interface Lifecycle {
  /** Opens a part behind those that are open. Rejects with what its `open` throws; then it is not in the list. */
  open<T>(part: Part<T>): Promise<T>
  /** Closes the parts one after the other, the last opened first. */
  close(): Promise<void>
}

export function createLifecycle(): Lifecycle {
  const closers: (() => unknown)[] = []
  return {
    async open({ open, close }) {
      const part = await open()
      if (close) closers.push(() => close(part))
      return part
    },
    async close() {
      for (let close = closers.pop(); close; close = closers.pop()) await close()
    },
  }
}

/** What `open` gives. Where it throws, the parts that it has opened are closed. */
export async function openTogether<T>(open: (lifecycle: Lifecycle) => Promise<T>): Promise<T> {
  const lifecycle = createLifecycle()
  try {
    return await open(lifecycle)
  } catch (error) {
    await lifecycle.close()
    throw error
  }
}
