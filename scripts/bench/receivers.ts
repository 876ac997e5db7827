// Webhook receivers in a process of their own, on the core of the load: they answer 204 and count.
//   bun scripts/bench/receivers.ts N    listens on N ports; prints them, and answers GET with its count
import { onCore } from "./machine.ts"

export interface Receivers {
  urls: string[]
  /** Deliveries that have come so far. */
  count(): Promise<number>
  stop(): Promise<void>
}

export async function openReceivers(count: number): Promise<Receivers> {
  const command = onCore("load", [process.execPath, import.meta.path, String(count)])
  const child = Bun.spawn(command, { stdout: "pipe", stderr: "inherit", stdin: "ignore" })
  const first = await child.stdout.getReader().read()
  const ports: number[] = JSON.parse(new TextDecoder().decode(first.value))
  const urls = ports.map((port) => `http://127.0.0.1:${port}/hook`)
  return {
    urls,
    async count() {
      return Number(await (await fetch(urls[0]!)).text())
    },
    async stop() {
      child.kill()
      await child.exited
    },
  }
}

if (import.meta.main) {
  let came = 0
  const servers = Array.from({ length: Number(process.argv[2]) }, () =>
    Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      async fetch(request) {
        if (request.method === "GET") return new Response(String(came))
        await request.arrayBuffer()
        came++
        return new Response(null, { status: 204 })
      },
    }),
  )
  console.log(JSON.stringify(servers.map(({ port }) => port)))
}
