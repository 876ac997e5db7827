import type { Io } from "../../src/surfaces/cli/command.ts"

/** The outside world of a command that ends by itself, and what it said there. */
export function ioOf(env: Record<string, string> = {}): { io: Io; said(): { out: string; err: string } } {
  const said = { out: "", err: "" }
  const to = (stream: "out" | "err") => (text: string) => {
    said[stream] += text
  }
  return {
    io: {
      env,
      program: () => Promise.reject(new Error("a service was about to start")),
      input: async function* () {},
      out: to("out"),
      log: to("out"),
      err: to("err"),
      send: () => Promise.reject(new Error("a file was about to be printed")),
      isTerminal: { input: false, out: false, err: false },
      stopRequested: () => Promise.reject(new Error("a service was about to start")),
      outClosed: () => Promise.reject(new Error("a command was about to go on")),
    },
    said: () => said,
  }
}
