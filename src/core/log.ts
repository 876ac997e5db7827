export type LogMode = "json" | "pretty" | "off"
type Level = "info" | "warn" | "error"
type Fields = Record<string, string | number | boolean | null | undefined>

/** Writes what happened, one line each. Never given a key or a secret. */
export interface Log {
  info(message: string, fields?: Fields): void
  warn(message: string, fields?: Fields): void
  /** With a defect its stack is logged; clients never see it. */
  error(message: string, fields?: Fields, defect?: unknown): void
}

/** A log that hands finished lines to `write`, which decides where they go. */
export function createLog(mode: LogMode, write: (line: string) => void, now: () => number = Date.now): Log {
  function line(level: Level, message: string, fields: Fields = {}, defect?: unknown): void {
    if (mode === "off") return
    const time = new Date(now()).toISOString()
    const stack = defect instanceof Error ? chain(defect) : defect === undefined ? undefined : String(defect)
    if (mode === "json") {
      write(`${JSON.stringify({ time, level, msg: message, ...fields, stack })}\n`)
      return
    }
    const pairs = Object.entries(fields).flatMap(([name, value]) =>
      value === undefined ? [] : ` ${name}=${value}`,
    )
    write(
      `${time} ${level.toUpperCase().padEnd(5)} ${message}${pairs.join("")}${stack ? `\n${stack}` : ""}\n`,
    )
  }
  return {
    info: (message, fields) => line("info", message, fields),
    warn: (message, fields) => line("warn", message, fields),
    error: (message, fields, defect) => line("error", message, fields, defect),
  }
}

function chain(error: Error): string {
  const own = error.stack ?? String(error)
  return error.cause instanceof Error ? `${own}\nCaused by: ${chain(error.cause)}` : own
}
