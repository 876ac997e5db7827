// A way to a server that counts how often somebody waits for it, that may be long, and that can be cut.
import { type AddressInfo, connect, createServer, type Socket } from "node:net"

export interface Way {
  client: Socket
  server: Socket
  /** What the client has sent since `mark`, and how often it did so after it was answered. */
  sent: string
  turns: number
}

export interface Detour extends AsyncDisposable {
  port: number
  ways: Way[]
  /** Begins to count anew. */
  mark(): void
  /** Cuts all that is connected. */
  cut(): void
  /** Cuts a way as soon as what its client sends holds this text: before that arrives, or before its answer does. */
  cutAt(text: string, when: "before" | "after"): void
  /** Lets nobody through until it is told otherwise. */
  close(isClosed: boolean): void
  /** Milliseconds that everything takes on its way from now on, one way. */
  delay(milliseconds: number): void
}

export async function openDetour(host: string, port: number): Promise<Detour> {
  const ways: Way[] = []
  let trap: { text: string; when: "before" | "after" } | undefined
  let isClosed = false
  let milliseconds = 0

  function end(way: Way): void {
    way.client.destroy()
    way.server.destroy()
    const at = ways.indexOf(way)
    if (at >= 0) ways.splice(at, 1)
  }

  const server = createServer((client) => {
    if (isClosed) return void client.destroy()
    const way: Way = { client, server: connect(port, host), sent: "", turns: 0 }
    ways.push(way)
    let isAnswered = true
    let isTrapped = false
    const pass = (from: Socket, to: Socket, note: (chunk: Buffer) => boolean) => {
      from.on("data", (chunk: Buffer) => {
        if (!note(chunk)) return end(way)
        const go = () => void to.write(chunk)
        if (milliseconds > 0) setTimeout(go, milliseconds)
        else go()
      })
      from.on("error", () => end(way))
      from.on("close", () => end(way))
    }
    pass(client, way.server, (chunk) => {
      if (isAnswered) way.turns++
      isAnswered = false
      way.sent += chunk.toString("latin1")
      if (trap && chunk.includes(trap.text)) {
        const { when } = trap
        trap = undefined
        if (when === "before") return false
        isTrapped = true
      }
      return true
    })
    pass(way.server, client, () => {
      isAnswered = true
      return !isTrapped
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    port: (server.address() as AddressInfo).port,
    ways,
    mark() {
      for (const way of ways) Object.assign(way, { sent: "", turns: 0 })
    },
    cut() {
      for (const way of [...ways]) end(way)
    },
    cutAt(text, when) {
      trap = { text, when }
    },
    close(closed) {
      isClosed = closed
    },
    delay(how) {
      milliseconds = how
    },
    async [Symbol.asyncDispose]() {
      for (const way of [...ways]) end(way)
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The same database through a detour. */
export async function openDetourTo(database: string): Promise<{ detour: Detour; database: string }> {
  const url = new URL(database)
  const detour = await openDetour(url.hostname, Number(url.port || 5432))
  url.hostname = "127.0.0.1"
  url.port = String(detour.port)
  return { detour, database: url.href }
}
