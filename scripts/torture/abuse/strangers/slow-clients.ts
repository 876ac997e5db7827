// Connections that are slow in many ways, held by a process of their own beside one that asks as others do.
import type { SlowOrder, SlowReport } from "../slow.ts"
import type { Attack, Attacker, Held } from "./attack.ts"
import { asked, fill } from "./questions.ts"

const SOCKETS = 1_000
const SHORT_SOCKETS = 90
/** Seconds after which any of them is cut. */
const LONGEST_S = 15

export const slowClients: Attack = {
  name: "slow-clients",
  sends: `1,000 sockets that dribble, stall or do not read, all cut in ${LONGEST_S} s`,
  connections: 1,
  pauseMs: 1_000,
  seconds: 90,
  answers: [200],
  async prepare(attacker) {
    await fill(attacker)
    return { distinct: 1, shot: () => asked(attacker, "/leads?limit=1") }
  },
  hold,
}

function hold({ service, owner }: Attacker, isShort: boolean): Held {
  const sockets = isShort ? SHORT_SOCKETS : SOCKETS
  const order: SlowOrder = { url: service.url(), mcpUrl: service.mcpUrl(), key: owner, sockets }
  const argv = [process.execPath, `${import.meta.dir}/../slow.ts`, JSON.stringify(order)]
  const child = Bun.spawn(argv, { stdout: "pipe", stderr: "inherit" })
  const said = new Response(child.stdout).text()
  return {
    async end() {
      child.kill("SIGKILL")
      const report: SlowReport = JSON.parse((await said).trim().split("\n").at(-1) || "{}")
      const kinds = Object.entries(report)
      const cut = kinds.reduce((sum, [, kind]) => sum + kind.cut, 0)
      return [
        ...(isShort || cut > 0 ? [] : ["no slow connection was cut"]),
        ...kinds.flatMap(([name, { longest }]) =>
          longest > LONGEST_S ? [`${name}: a connection lasted ${longest.toFixed(1)} s`] : [],
        ),
      ]
    },
  }
}
