// Webhook receivers in a process of their own, on the core of the load: they answer 204 and count.
//   bun scripts/bench/receivers.ts N    listens on N ports; prints where it tells its count, and them
import { openSink } from "../../test/support/hook.ts"
import { onCore } from "./machine.ts"
import { started } from "./programs.ts"

interface Receivers {
  urls: string[]
  /** Deliveries that have come so far. */
  count(): Promise<number>
  stop(): Promise<void>
}

export async function openReceivers(count: number): Promise<Receivers> {
  const command = onCore("load", [process.execPath, import.meta.path, String(count)])
  const { first, stop } = await started(command)
  const [counter, ...urls]: string[] = JSON.parse(first)
  return {
    urls,
    async count() {
      return Number(await (await fetch(counter!)).text())
    },
    stop,
  }
}

if (import.meta.main) {
  const sinks = Array.from({ length: Number(process.argv[2]) }, () => openSink())
  const counter = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => new Response(String(sinks.reduce((sum, sink) => sum + sink.count(), 0))),
  })
  console.log(JSON.stringify([`http://127.0.0.1:${counter.port}/`, ...sinks.map(({ url }) => url)]))
}
