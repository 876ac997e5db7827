import { test as bunTest } from "bun:test"

/**
 * `test` of bun, whose function may take what `open` opens: it is opened before it, and closed behind it where it can be
 * disposed of. A function without a parameter is run as it is. `test.for(rows)` runs it for each row, which it takes before
 * what is opened. `plain` may be a test that is skipped somewhere.
 */
export function testWith<T extends object>(open: () => T | Promise<T>, plain = bunTest) {
  async function withOpened(run: (opened: T) => unknown): Promise<void> {
    await using stack = new AsyncDisposableStack()
    const one = await open()
    if (Symbol.asyncDispose in one) stack.use(one as T & AsyncDisposable)
    await run(one)
  }
  function test(name: string, run: (opened: T) => unknown, timeout?: number): void {
    plain(name, run.length === 0 ? (run as () => Promise<void>) : () => withOpened(run), timeout)
  }
  function forRows<const Row>(rows: readonly Row[]) {
    const areLists = Array.isArray(rows[0])
    return (name: string, run: (row: Row, opened: T) => unknown, timeout?: number) =>
      plain.each(rows as readonly unknown[] as [])(
        name,
        (...row: unknown[]) => withOpened((opened) => run((areLists ? row : row[0]) as Row, opened)),
        timeout,
      )
  }
  const each = plain.each.bind(plain) as typeof plain.each
  return Object.assign(test, {
    each,
    for: forRows,
    if: plain.if.bind(plain),
    skipIf: plain.skipIf.bind(plain),
  })
}
