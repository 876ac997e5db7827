// Two PostgreSQL nodes that Patroni keeps, the one in step with the other, with HAProxy before them: real processes of this
// machine. PostgreSQL refuses root, so all of it belongs to nobody.
import { type ChildProcess, spawn } from "node:child_process"
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { SQL } from "bun"
import { chosenPort } from "../../../test/support/port.ts"
import { until } from "../../../test/support/until.ts"

const NOBODY = 65_534
const DEBIAN = "/usr/lib/postgresql"
/**
 * How long both nodes must have been well: Patroni looks every two seconds and tells what it saw then. A primary that dies
 * before it has seen that the standby lost it is replaced by none, so that nothing is lost.
 */
const STEADY_MS = 5_000
const PROGRAMS = ["/usr/bin/patroni", "/usr/bin/etcd", "/usr/sbin/haproxy"]
const POOLER = "/usr/sbin/pgbouncer"

/** What is missing for it on this machine, in words; undefined when nothing is. */
export function missingPrograms(): string | undefined {
  const missing = [...PROGRAMS, DEBIAN].filter((path) => !existsSync(path))
  return missing.length > 0
    ? `no ${missing.join(", ")}: apt-get install postgresql patroni etcd-server haproxy`
    : undefined
}

export interface Cluster {
  /** The database, through HAProxy. */
  url: string
  /** The database, through PgBouncer, which gives each transaction another session; undefined where this machine lacks it. */
  pooled: string | undefined
  /** The standby, through HAProxy. */
  replica: string
  /** Which node is the primary; undefined while there is none. */
  primary(): Promise<number | undefined>
  /** Stops what a node sends to its standby, as a network does that is slow for a while: until the node is killed. */
  holdBack(node: number): void
  /** kill -9 of PostgreSQL alone, or of the node with all that runs on it. */
  kill(node: number, what: "process" | "node"): void
  /** kill -9 of PgBouncer, which is started anew. */
  killPooler(): void
  /** Stops all of a node's PostgreSQL for a while: it is there, and answers nothing. */
  stall(node: number, milliseconds: number): Promise<void>
  /** Starts a node again that was killed. */
  start(node: number): void
  /** Resolves when both nodes run and the standby is in step. */
  whole(): Promise<void>
  close(): Promise<void>
}

interface Node {
  name: string
  folder: string
  postgres: number
  api: number
  patroni: ChildProcess | undefined
}

interface Keeping {
  /** Whether a commit waits for the standby. */
  isSynchronous: boolean
  /** More of HAProxy's settings: what stands before the instances. */
  proxy: string
}

export async function openCluster(folder: string, { isSynchronous, proxy }: Keeping): Promise<Cluster> {
  const bin = join(DEBIAN, readdirSync(DEBIAN).toSorted().at(-1)!, "bin")
  const [etcd, etcdPeer, front] = [chosenPort(), chosenPort(), chosenPort()]
  const [behind, pooled] = [chosenPort(), chosenPort()]
  const children = new Set<ChildProcess>()
  const own = (path: string) => {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    chownSync(path, NOBODY, NOBODY)
    return path
  }
  chownSync(folder, NOBODY, NOBODY)
  const run = (command: string, args: string[], log: string): ChildProcess => {
    const child = spawn("/bin/sh", ["-c", `exec "$@" >>${log} 2>&1`, "sh", command, ...args], {
      uid: NOBODY,
      gid: NOBODY,
      cwd: folder,
      env: { PATH: `${bin}:/usr/bin:/bin:/usr/sbin`, HOME: folder, LC_ALL: "C.UTF-8" },
      stdio: "ignore",
    })
    children.add(child)
    return child
  }

  const nodes: Node[] = ["one", "two"].map((name) => ({
    name,
    folder: own(join(folder, name)),
    postgres: chosenPort(),
    api: chosenPort(),
    patroni: undefined,
  }))
  const store = own(join(folder, "etcd"))
  const client = `http://127.0.0.1:${etcd}`
  const peer = `http://127.0.0.1:${etcdPeer}`
  run(
    "/usr/bin/etcd",
    [
      ...[
        "--name",
        "etcd",
        "--data-dir",
        store,
        "--listen-client-urls",
        client,
        "--advertise-client-urls",
        client,
      ],
      ...[
        "--listen-peer-urls",
        peer,
        "--initial-advertise-peer-urls",
        peer,
        "--initial-cluster",
        `etcd=${peer}`,
      ],
    ],
    join(folder, "etcd.log"),
  )
  for (const node of nodes)
    writeFileSync(join(folder, `${node.name}.yml`), patroniSettings(node, { etcd, bin, isSynchronous }))
  writeFileSync(join(folder, "haproxy.cfg"), `${databaseProxy(front, behind, nodes)}\n${proxy}`)

  function start(i: number): void {
    const node = nodes[i]!
    node.patroni ??= run(
      "/usr/bin/patroni",
      [join(folder, `${node.name}.yml`)],
      join(folder, `${node.name}.log`),
    )
  }

  function postmaster(node: Node): number | undefined {
    const file = join(node.folder, "data/postmaster.pid")
    return existsSync(file) ? Number(readFileSync(file, "utf8").split("\n")[0]) : undefined
  }

  function end(pid: number | undefined): void {
    try {
      if (pid) process.kill(pid, "SIGKILL")
    } catch {
      // It is gone.
    }
  }

  async function states(): Promise<{ role: string; state: string; isInStep: boolean }[]> {
    return Promise.all(
      nodes.map(async ({ api }) => {
        try {
          const answer = await fetch(`http://127.0.0.1:${api}/patroni`, {
            signal: AbortSignal.timeout(2_000),
          })
          const { role, state, sync_standby } = await answer.json()
          return { role, state, isInStep: sync_standby === true }
        } catch {
          return { role: "away", state: "away", isInStep: false }
        }
      }),
    )
  }

  /** What PostgreSQL has started on a node: its processes and, in their titles, what each does. */
  function processes(node: Node): { pid: number; title: string }[] {
    const parent = postmaster(node)
    if (!parent || !existsSync(`/proc/${parent}`)) return []
    const pids = readFileSync(`/proc/${parent}/task/${parent}/children`, "utf8").split(" ").filter(Boolean)
    return pids.flatMap((pid) => {
      try {
        return [{ pid: Number(pid), title: readFileSync(`/proc/${pid}/cmdline`, "utf8") }]
      } catch {
        return []
      }
    })
  }

  const isPrimary = (role: string) => role === "master" || role === "primary"

  async function whole(): Promise<void> {
    let since = Number.POSITIVE_INFINITY
    await until(
      "both nodes run, one in step with the other",
      async () => {
        await Bun.sleep(250)
        const all = await states()
        const running = all.filter(({ state }) => state === "running" || state === "streaming")
        const inStep = !isSynchronous || all.some(({ isInStep }) => isInStep)
        const isWhole = running.length === nodes.length && all.some(({ role }) => isPrimary(role)) && inStep
        since = isWhole ? Math.min(since, performance.now()) : Number.POSITIVE_INFINITY
        return performance.now() - since >= STEADY_MS
      },
      120_000,
    )
  }

  start(0)
  await until("the first node is the primary", async () => {
    await Bun.sleep(250)
    return isPrimary((await states())[0]!.role)
  })
  start(1)
  await whole()
  run("/usr/sbin/haproxy", ["-f", join(folder, "haproxy.cfg"), "-db"], join(folder, "haproxy.log"))
  const url = `postgres://postgres@127.0.0.1:${front}/postgres`
  await until("the proxy leads to the primary", async () => {
    await Bun.sleep(250)
    await using db = new SQL(url, { max: 1 })
    return db`SELECT 1 WHERE NOT pg_is_in_recovery()`.then(({ length }) => length === 1).catch(() => false)
  })

  let pooler: ChildProcess | undefined
  function startPooler(): void {
    if (!existsSync(POOLER)) return
    const users = join(folder, "pooler-users.txt")
    const settings = join(folder, "pooler.ini")
    writeFileSync(users, '"postgres" ""\n')
    writeFileSync(settings, poolerSettings(pooled, front, users))
    pooler = run(POOLER, ["--quiet", settings], join(folder, "pooler.log"))
  }
  startPooler()

  return {
    url,
    pooled: pooler && `postgres://postgres@127.0.0.1:${pooled}/postgres`,
    replica: `postgres://postgres@127.0.0.1:${behind}/postgres`,
    killPooler() {
      if (!pooler) return
      end(pooler.pid)
      children.delete(pooler)
      startPooler()
    },
    async stall(i, milliseconds) {
      const node = nodes[i]!
      const all = [postmaster(node), ...processes(node).map(({ pid }) => pid)].filter(
        (pid) => pid !== undefined,
      )
      const signal = (name: "SIGSTOP" | "SIGCONT") => {
        for (const pid of all) {
          try {
            process.kill(pid, name)
          } catch {
            // It has ended.
          }
        }
      }
      signal("SIGSTOP")
      await Bun.sleep(milliseconds)
      signal("SIGCONT")
    },
    async primary() {
      const found = (await states()).findIndex(({ role, state }) => isPrimary(role) && state === "running")
      return found < 0 ? undefined : found
    },
    holdBack(i) {
      const senders = processes(nodes[i]!).filter(({ title }) => title.includes("walsender"))
      for (const { pid } of senders) process.kill(pid, "SIGSTOP")
    },
    kill(i, what) {
      const node = nodes[i]!
      if (what === "node") {
        end(node.patroni?.pid)
        if (node.patroni) children.delete(node.patroni)
        node.patroni = undefined
      }
      const orphans = what === "node" ? processes(node) : []
      end(postmaster(node))
      for (const { pid } of orphans) end(pid)
    },
    start,
    whole,
    async close() {
      for (const child of children) end(child.pid)
      for (const node of nodes) end(postmaster(node))
    },
  }
}

function patroniSettings(
  { name, folder, postgres, api }: Node,
  { etcd, bin, isSynchronous }: { etcd: number; bin: string; isSynchronous: boolean },
): string {
  return `scope: leaddb
name: ${name}
restapi: { listen: "127.0.0.1:${api}", connect_address: "127.0.0.1:${api}" }
etcd3: { host: "127.0.0.1:${etcd}" }
bootstrap:
  dcs:
    ttl: 20
    loop_wait: 2
    retry_timeout: 5
    synchronous_mode: ${isSynchronous}
    postgresql:
      use_pg_rewind: true
      parameters: { max_connections: 200, wal_log_hints: "on", shared_buffers: 128MB }
  initdb: [{ encoding: UTF8 }, { locale: C }, data-checksums]
  pg_hba: ["host all all 127.0.0.1/32 trust", "host replication all 127.0.0.1/32 trust"]
postgresql:
  listen: "127.0.0.1:${postgres}"
  connect_address: "127.0.0.1:${postgres}"
  data_dir: ${join(folder, "data")}
  bin_dir: ${bin}
  pgpass: ${join(folder, "pgpass")}
  authentication:
    superuser: { username: postgres, password: unused }
    replication: { username: replicator, password: unused }
    rewind: { username: postgres, password: unused }
  parameters: { unix_socket_directories: ${folder} }
`
}

function poolerSettings(port: number, server: number, users: string): string {
  return `[databases]
* = user=postgres host=127.0.0.1 port=${server}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
auth_file = ${users}
pool_mode = transaction
default_pool_size = 40
max_client_conn = 500
server_login_retry = 1
`
}

/** The primary is where Patroni says so; who is connected to another one is let go at once. */
function databaseProxy(front: number, behind: number, nodes: readonly Node[]): string {
  const servers = nodes
    .map(({ name, postgres, api }) => `  server ${name} 127.0.0.1:${postgres} check port ${api}`)
    .join("\n")
  return `global
  maxconn 2000
defaults
  timeout connect 2s
  timeout client 5m
  timeout server 5m
listen database
  mode tcp
  timeout check 3s
  bind 127.0.0.1:${front}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${servers}
listen replica
  mode tcp
  timeout check 3s
  bind 127.0.0.1:${behind}
  option httpchk OPTIONS /replica
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${servers}
`
}
