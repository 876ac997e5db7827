// Programs that a measurement runs beside itself.

/**
 * The output of a program and its exit code. `env` is added to the environment of this process. After `seconds` the program
 * is interrupted.
 */
export async function outputOf(
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
  seconds?: number,
): Promise<{ out: string; problem: string; code: number }> {
  const child = Bun.spawn([...command], { env: { ...process.env, ...env }, stdout: "pipe", stderr: "pipe" })
  const timer = seconds !== undefined && setTimeout(() => child.kill("SIGINT"), seconds * 1_000)
  const [out, problem, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  if (timer) clearTimeout(timer)
  return { out, problem, code }
}

interface Running {
  /** What it wrote first: where it is to be found. */
  first: string
  pid: number
  stop(): Promise<void>
}

/** Starts a program that goes on until it is stopped. */
export async function started(command: readonly string[]): Promise<Running> {
  const child = Bun.spawn([...command], { stdout: "pipe", stderr: "inherit", stdin: "ignore" })
  const { value } = await child.stdout.getReader().read()
  return {
    first: new TextDecoder().decode(value),
    pid: child.pid,
    async stop() {
      child.kill()
      await child.exited
    },
  }
}

export interface Server extends Pick<Running, "pid" | "stop"> {
  origin: string
}

/** Starts a server that writes its port. Throws an Error, with its `name`, when it does not. */
export async function startedServer(name: string, command: readonly string[]): Promise<Server> {
  const { first, pid, stop } = await started(command)
  if (!Number(first)) throw new Error(`the ${name} server did not start`)
  return { origin: `http://127.0.0.1:${Number(first)}`, pid, stop }
}
