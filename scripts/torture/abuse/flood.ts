// A process that asks at a rate of its own, whatever comes back: clients do not wait for each other. Its argument is
// a FloodOrder as JSON; it prints a FloodReport.
import type { FloodOrder, FloodReport, Phase } from "./flood-order.ts"
import { partOf } from "./gauge.ts"

/** A connection and the request on it. */
interface Line {
  socket: Bun.Socket<Line> | undefined
  /** When its request was due, 0 while there is none. */
  due: number
  /** What is missing of the answer; -1 while its head is still coming. */
  left: number
  status: number
  /** What has come of the head. */
  head: string
}

interface Tally {
  statuses: Record<number, number>
  waits: number[]
  dropped: number
}

const order: FloodOrder = JSON.parse(process.argv[2]!)
const { hostname, port } = new URL(order.url)
const tallies: Tally[] = []
const idle: Line[] = []
/** When those that found no connection were due. */
const waiting: number[] = []
let open = 0
let sent = 0
/** Nine figures, other ones in each flood. */
const start = 100_000_000 + (Date.now() % 800_000) * 1_000
let phase: Phase | undefined = order.phases[0]
const began = performance.now()

function tally(): Tally {
  const at = Math.floor((performance.now() - began) / 1_000)
  tallies[at] ??= { statuses: {}, waits: [], dropped: 0 }
  return tallies[at]
}

function send(line: Line, due: number): void {
  line.due = due
  line.left = -1
  line.head = ""
  const request = order.requests[sent++ % order.requests.length]!.replaceAll(
    "#########",
    String(start + sent),
  )
  line.socket!.write(request)
}

function ask(due: number): void {
  const line = idle.pop()
  if (line) {
    send(line, due)
    return
  }
  if (waiting.length < order.connections) waiting.push(due)
  if (open < order.connections) connect()
}

function connect(): void {
  open++
  const line: Line = { socket: undefined, due: 0, left: -1, status: 0, head: "" }
  Bun.connect<Line>({
    hostname,
    port: Number(port),
    data: line,
    socket: {
      open(socket) {
        line.socket = socket
        goOn(line)
      },
      data: (_, chunk) => take(line, chunk),
      close: () => lose(line),
      error: () => {},
      connectError: () => lose(line),
    },
  }).catch(() => {})
}

/** What a connection does that has nothing to do. */
function goOn(line: Line): void {
  const due = waiting.shift()
  if (due !== undefined) send(line, due)
  else if (phase?.inFlight && open - idle.length <= phase.inFlight) send(line, performance.now())
  else idle.push(line)
}

function lose(line: Line): void {
  open--
  if (line.due > 0) tally().dropped++
  line.due = 0
  const at = idle.indexOf(line)
  if (at >= 0) idle.splice(at, 1)
}

function take(line: Line, chunk: Buffer): void {
  if (line.due === 0) return
  if (line.left < 0) {
    line.head += chunk.toString("latin1")
    const end = line.head.indexOf("\r\n\r\n")
    if (end < 0) return
    const head = line.head.slice(0, end)
    line.status = Number(head.slice(9, 12))
    line.left = end + 4 + Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0) - line.head.length
  } else line.left -= chunk.length
  if (line.left > 0) return
  const now = tally()
  now.statuses[line.status] = (now.statuses[line.status] ?? 0) + 1
  if (line.status < 300) now.waits.push(performance.now() - line.due)
  line.due = 0
  goOn(line)
}

/** Asks for what has become due in a phase with a rate. */
function keepUp({ rate = 0 }: Phase, from: number, done: number): number {
  const wanted = Math.floor((performance.now() - began - from) * (rate / 1_000))
  for (let i = done; i < wanted; i++) ask(performance.now())
  return Math.max(done, wanted)
}

let from = 0
for (const next of order.phases) {
  phase = next
  // Those that found no connection have given up: else the phase before would go on after its end.
  waiting.length = 0
  for (let i = open; i < (next.inFlight ?? 0); i++) connect()
  for (let done = 0; performance.now() - began < next.until * 1_000; await Bun.sleep(1)) {
    done = keepUp(next, from, done)
    while (next.inFlight && idle.length > 0 && open - idle.length < next.inFlight) goOn(idle.pop()!)
  }
  from = next.until * 1_000
}
phase = undefined
await Bun.sleep(500)

const report: FloodReport = Array.from(tallies, (one) => ({
  statuses: one?.statuses ?? {},
  dropped: one?.dropped ?? 0,
  p99: partOf(one?.waits ?? [], 0.99) || 0,
}))
console.log(JSON.stringify(report))
process.exit(0)
