import type { LanSwitch, Services } from "../../domain/operation.ts"
import type { Clock } from "../../runtime/clock.ts"
import type { Log } from "../../runtime/log.ts"
import type { Store } from "../../store/contract/store.ts"
import type { Auth } from "../http/auth.ts"
import type { RateLimit } from "../http/limits.ts"
import type { Config, Environment, Options, Values } from "./config.ts"

const GAP = "  "
/** The last Unix second that a Date holds. */
const LAST_DATE = 8_640_000_000_000

/** Rows of cells as aligned lines; the last cell of a row is not padded. Numbers stand to the right. */
export function columns(rows: readonly (readonly (string | number)[])[], indent = ""): string {
  const texts = rows.map((row) => row.map(printable))
  const widths: number[] = []
  for (const row of texts) {
    for (const [i, text] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, Bun.stringWidth(text))
  }
  const lines = texts.map((row, r) => {
    const cells = row.map((text, i) => {
      const space = " ".repeat(widths[i]! - Bun.stringWidth(text))
      return typeof rows[r]![i] === "number" ? space + text : text + space
    })
    return `${indent}${cells.join(GAP).trimEnd()}\n`
  })
  return lines.join("")
}

/** Replaces control characters: stored names may hold anything and must not control the terminal. */
function printable(cell: string | number): string {
  return String(cell).replaceAll(/\p{Cc}/gu, "\ufffd")
}

/** Unix seconds as people read them, in UTC; a dash for none. */
export function when(seconds: number | null): string {
  if (seconds === null) return "-"
  if (seconds > LAST_DATE) return String(seconds)
  return `${new Date(seconds * 1000).toISOString().slice(0, 16).replace("T", " ")} UTC`
}

/** A line on the terminal that is drawn again every so many milliseconds; nothing elsewhere. */
export function statusLine(io: Io, everyMs: number) {
  let drawn = 0
  return {
    draw(text: () => string) {
      const now = performance.now()
      if (!io.isTerminal.err || now - drawn < everyMs) return
      drawn = now
      io.err(`\r${text()}\u001b[K`)
    },
    clear() {
      if (drawn > 0) io.err("\r\u001b[K")
    },
  }
}

/** One JSON document for programs. */
export function json(document: unknown): string {
  return `${JSON.stringify(document, null, 2)}\n`
}

/** Where a service answers. */
export interface Started {
  /** The base URL of the REST API, with the version prefix. */
  url: string
  /** The URL of the MCP endpoint. */
  mcpUrl: string
  /** Origins of the dashboard for other machines of the network. */
  network: readonly string[]
  /** The raw key of the account that the very first run makes. */
  firstKey?: string
  /** Where the dashboard is, with a code that signs in once where there is one account alone. */
  appUrl: string
}

/** The program behind the commands, from app.ts. */
interface Program {
  /** Opens the database and serves. Throws an Error that a person can act on. */
  openApp(
    config: Config,
    log: Log,
    clock?: Clock,
    lan?: LanSwitch,
  ): Promise<Started & { stop(): Promise<void> }>
  /** Opens the database and what works on it, without listeners. Throws an Error that a person can act on. */
  openParts(config: Config, log: Log): Promise<ProgramParts>
}

interface ProgramParts {
  store: Store
  services: Services
  auth: Auth
  rateLimit: RateLimit
  /** Begins to deliver to webhooks, never to these ports. */
  deliver(ownPorts: readonly number[]): void
  close(): Promise<void>
}

/** A command's access to the outside world; main.ts makes the real one. */
export interface Io {
  env: Environment
  /** Loads what serves: most commands do without most of the program. */
  program(): Promise<Program>
  /** Bytes from stdin. */
  input(): AsyncIterable<Uint8Array>
  /** Writes to stdout, as it is. */
  out(text: string): void
  /** Writes bytes to stdout, no faster than they are read. Resolves early when the reader has gone. */
  send(bytes: AsyncIterable<Uint8Array>): Promise<void>
  /** Whether a person is there: stdin to be asked, stdout and stderr to be shown things. */
  isTerminal: { input: boolean; out: boolean; err: boolean }
  /** Writes log lines to stdout; they are dropped while their reader is stuck or gone. */
  log(lines: string): void
  /** Writes to stderr, as it is. */
  err(text: string): void
  /** Resolves when the process is asked to stop; from the first call on, a signal no longer ends it at once. */
  stopRequested(): Promise<void>
  /** Resolves when the reader of stdout has gone, for a command that goes on printing. */
  outClosed(): Promise<void>
}

export interface Command<O extends Options = Options> {
  /** As it is typed: `serve`, `accounts create`. */
  name: string
  /** One line for the list of commands, without a full stop. */
  about: string
  /** The command's argument besides options, such as `FILE`. */
  argument?: { name: string; about: string; optional?: true; many?: true; values?: readonly string[] }
  options: O
  examples?: readonly string[]
  /** Answers with the exit code. Throws AppError `bad_request` for wrong usage, others for what went wrong. */
  run(values: Values<O>, words: readonly string[], io: Io): Promise<number>
}

/** The command that the first two words name, or the first. */
export function findCommand(all: readonly Command[], words: readonly string[]): Command | undefined {
  const named = (count: number) => all.find(({ name }) => name === words.slice(0, count).join(" "))
  return named(2) ?? named(1)
}

/** The output of a command. */
export interface Outcome {
  /** For people. */
  text: string
  /** For programs, with `--json`. */
  json: object
  /** For stderr, after the output. */
  warning?: string
  /** 0 when left out. */
  exitCode?: number
}

/** How a command is declared: one that prints by itself returns its exit code alone. */
interface Definition<O extends Options> extends Omit<Command<O>, "run"> {
  run(values: Values<O>, words: readonly string[], io: Io): Promise<Outcome | number>
}

/** Declares a command, which is then listed in cli.ts. */
export function command<const O extends Options>({ run, ...described }: Definition<O>): Command {
  return {
    ...described,
    async run(values, words, io) {
      const outcome = await run(values as Values<O>, words, io)
      if (typeof outcome === "number") return outcome
      io.out(values.json ? json(outcome.json) : outcome.text)
      if (outcome.warning) io.err(outcome.warning)
      return outcome.exitCode ?? 0
    },
  }
}
