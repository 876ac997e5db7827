import { test as plain } from "bun:test"

/**
 * `test` of bun, whose function may take what `open` opens: it is opened before it, and closed behind it where it can be
 * disposed of. A function without a parameter is run as it is.
 */
export function testWith<T extends object>(open: () => T | Promise<T>) {
  function test(name: string, run: (opened: T) => unknown, timeout?: number): void {
    async function opened(): Promise<void> {
      await using stack = new AsyncDisposableStack()
      const one = await open()
      if (Symbol.asyncDispose in one) stack.use(one as T & AsyncDisposable)
      await run(one)
    }
    plain(name, run.length === 0 ? (run as () => Promise<void>) : opened, timeout)
  }
  const each = plain.each.bind(plain) as typeof plain.each
  return Object.assign(test, { each, if: plain.if.bind(plain), skipIf: plain.skipIf.bind(plain) })
}
