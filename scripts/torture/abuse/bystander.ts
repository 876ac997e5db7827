// Somebody who asks for a lead and for the service's health, in a process of their own: what keeps the attackers busy
// is not to be taken for the service's slowness. Asks until its input ends, but not before either was answered once, then
// prints what it saw.

export interface BystanderOrder {
  /** What is asked, with the headers. */
  lead: [url: string, headers: Record<string, string>]
  health: [url: string, headers: Record<string, string>]
  /** Questions of either kind in a second. */
  rate: number
}
export interface BystanderReport {
  /** Milliseconds of each. */
  lead: number[]
  health: number[]
  failures: string[]
}

async function main(order: BystanderOrder): Promise<void> {
  const report: BystanderReport = { lead: [], health: [], failures: [] }
  let isOver = false
  const end = Bun.stdin.text().then(() => {
    isOver = true
  })
  const ask = async (what: "lead" | "health") => {
    const [url, headers] = order[what]
    let isAnswered = false
    while (!isOver || !isAnswered) {
      const began = performance.now()
      try {
        const response = await fetch(url, { headers })
        await response.text()
        if (response.status === 200) isAnswered = true
        else report.failures.push(`${what}: ${response.status}`)
      } catch (error) {
        report.failures.push(`${what}: ${error}`)
      }
      report[what].push(performance.now() - began)
      await Bun.sleep(1_000 / order.rate)
    }
  }
  await Promise.all([ask("lead"), ask("health"), end])
  console.log(JSON.stringify(report))
}

if (import.meta.main) await main(JSON.parse(process.argv[2]!))
