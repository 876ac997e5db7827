// PgBouncer between a service and its database, where this machine has it.
import { chmodSync, writeFileSync } from "node:fs"
import { createConnection } from "node:net"
import { join } from "node:path"
import { temporaryFolder } from "./folder.ts"
import { isMissing } from "./missing.ts"
import { chosenPort } from "./port.ts"
import { until } from "./until.ts"

const program = Bun.which("pgbouncer", { PATH: `${process.env.PATH}:/usr/sbin:/usr/local/sbin` })
export const hasPgBouncer = !isMissing("what goes through a pooler", program, "there is no pgbouncer")

export interface Pooler extends AsyncDisposable {
  /** The address of a database through the pooler. */
  through(database: string): string
}

/** Starts a pooler before the server of a database. It refuses startup parameters that it does not know, as by default. */
export async function openPooler(
  database: string,
  mode: "session" | "transaction" | "statement",
  size = 40,
): Promise<Pooler> {
  const server = new URL(database)
  const folder = temporaryFolder()
  const port = chosenPort()
  const settings = join(folder, "pgbouncer.ini")
  writeFileSync(join(folder, "users.txt"), '"leaddb" ""\n')
  writeFileSync(
    settings,
    `[databases]
* = host=${server.hostname} port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
auth_file = ${join(folder, "users.txt")}
pool_mode = ${mode}
default_pool_size = ${size}
max_client_conn = 500
`.replace("* = host", "* = user=leaddb host"),
  )
  for (const path of [folder, settings, join(folder, "users.txt")]) chmodSync(path, 0o755)
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? ["--user", "nobody"] : []
  const child = Bun.spawn([program!, "--quiet", ...user, settings], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  })
  await until("the pooler listens", () => answers(port))
  return {
    through(url) {
      const own = new URL(url)
      own.port = String(port)
      own.hostname = "127.0.0.1"
      return own.href
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL")
      await child.exited
    },
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, "127.0.0.1", () => {
      socket.destroy()
      resolve(true)
    })
    socket.on("error", () => resolve(false))
  })
}
