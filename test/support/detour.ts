// A way to a server that counts how often somebody waits for it, that may be long, and that can be cut.
import { type AddressInfo, connect, createServer, type Socket } from "node:net"

interface Way {
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
  /**
   * Cuts the next way whose client sends this statement, of those that have sent a text since `mark`: before that arrives,
   * or when it was done, before its answer does.
   */
  cutAt(statement: string, when: "before" | "after", text?: string): void
  /** Refuses new connections while `isClosed`. */
  close(isClosed: boolean): void
  /** Milliseconds that everything takes on its way from now on, one way. */
  delay(milliseconds: number): void
}

/** The server is ready for what comes next, and no transaction is under way. */
const READY = Buffer.from("Z\0\0\0\u0005", "latin1")
const IDLE = Buffer.from("Z\0\0\0\u0005I", "latin1")

async function openDetour(host: string, port: number): Promise<Detour> {
  const ways: Way[] = []
  let trap: { statement: string; when: "before" | "after"; text: string } | undefined
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
    const read = createReader()
    let isAnswered = true
    let isTrapped: string | undefined
    const pass = (from: Socket, to: Socket, note: (chunk: Buffer) => "pass" | "keep" | "cut") => {
      from.on("data", (chunk: Buffer) => {
        const what = note(chunk)
        if (what === "cut") return end(way)
        if (what === "keep") return
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
      const statements = read(chunk)
      if (trap && statements.includes(trap.statement) && way.sent.includes(trap.text)) {
        const { statement, when } = trap
        trap = undefined
        if (when === "before") return "cut"
        isTrapped = statement
      }
      return "pass"
    })
    pass(way.server, client, (chunk) => {
      isAnswered = true
      if (!isTrapped) return "pass"
      return chunk.includes(isTrapped === "COMMIT" ? IDLE : READY) ? "cut" : "keep"
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
    cutAt(statement, when, text = "") {
      trap = { statement, when, text }
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

/** Reads what a client of PostgreSQL sends: which statements each part of it has done. */
function createReader(): (chunk: Buffer) => string[] {
  const prepared = new Map<string, string>()
  let left: Buffer = Buffer.alloc(0)
  let hasBegun = false
  return (chunk) => {
    left = Buffer.concat([left, chunk])
    const statements: string[] = []
    for (;;) {
      // The first message has no letter before its length.
      const head = hasBegun ? 1 : 0
      if (left.length < head + 4) return statements
      const end = head + left.readUInt32BE(head)
      if (left.length < end) return statements
      const letter = hasBegun ? String.fromCharCode(left[0]!) : ""
      const [first = "", second = ""] = left
        .subarray(head + 4, end)
        .toString("latin1")
        .split("\0")
      if (letter === "P") prepared.set(first, second)
      if (letter === "B") statements.push(prepared.get(second) ?? "")
      if (letter === "Q") statements.push(first)
      hasBegun = true
      left = left.subarray(end)
    }
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
