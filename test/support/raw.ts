import { connect } from "node:net"

/** What came back over a bare connection: the status line's number, headers in lower case, the body as text. */
interface RawAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

/**
 * Sends bytes exactly as they are, for what no HTTP client would send, and reads until the service closes. The head
 * is given without Host, Connection and the empty line; a `host` of null sends none.
 */
export async function sendRaw(
  url: string,
  head: string,
  body: string | Uint8Array = "",
  host: string | null = new URL(url).host,
): Promise<RawAnswer> {
  return readAnswer(await exchange(url, head, body, host))
}

/** As `sendRaw`, with the answer as it came. */
export function exchange(
  url: string,
  head: string,
  body: string | Uint8Array = "",
  host: string | null = new URL(url).host,
): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(Number(port), hostname, () => {
      const named = host === null ? "" : `Host: ${host}\r\n`
      socket.write(`${head}\r\n${named}Connection: close\r\n\r\n`)
      socket.write(body)
    })
    socket.on("data", (chunk) => chunks.push(Buffer.from(chunk)))
    socket.on("error", reject)
    socket.on("close", () => resolve(Buffer.concat(chunks).toString("latin1")))
  })
}

function readAnswer(bytes: string): RawAnswer {
  const text = Buffer.from(bytes, "latin1").toString()
  const end = text.indexOf("\r\n\r\n")
  const [statusLine = "", ...lines] = text.slice(0, end).split("\r\n")
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(":")
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  return { status: Number(statusLine.split(" ")[1]), headers, body: text.slice(end + 4) }
}
