export interface Queue<T> {
  first(): T | undefined
  add(item: T): void
  /** Takes the first away. */
  drop(): void
  size(): number
}

/** First in, first out, without moving thousands for each. */
export function createQueue<T>(): Queue<T> {
  let items: (T | undefined)[] = []
  let head = 0
  return {
    first: () => items[head],
    add: (item) => void items.push(item),
    drop() {
      items[head++] = undefined
      if (head < 1_000 || head * 2 < items.length) return
      items = items.slice(head)
      head = 0
    },
    size: () => items.length - head,
  }
}
