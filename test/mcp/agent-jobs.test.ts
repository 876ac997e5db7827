// Eighteen ordinary jobs as an agent does them, with the default tools alone: all of them whole, in few calls and tokens.
import { expect, test } from "bun:test"
import { walk } from "../../scripts/bench/agent/walk.ts"
import { openTestAccount } from "../support/app.ts"

test("an agent does eighteen jobs in at most 60 calls and 25,000 tokens", async () => {
  const service = await openTestAccount()
  const rest = async (method: string, path: string, body?: unknown) => {
    const { status, body: answer } = await service.call(method, path, body)
    if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${JSON.stringify(answer)}`)
    return answer
  }
  const { jobs, list, instructions, largest } = await walk({
    mcpUrl: service.app.mcpUrl,
    key: service.key,
    rest,
  })
  expect(jobs.flatMap(({ name, problem }) => (problem === undefined ? [] : `${name}: ${problem}`))).toEqual(
    [],
  )
  const calls = (some: typeof jobs) => some.reduce((sum, job) => sum + job.calls, 0)
  expect(jobs).toHaveLength(18)
  expect(calls(jobs)).toBeLessThanOrEqual(60)
  expect(calls(jobs.slice(0, 12))).toBeLessThanOrEqual(36)
  expect(jobs.reduce((sum, job) => sum + job.tokens, 0)).toBeLessThanOrEqual(25_000)
  expect(list).toBeLessThanOrEqual(5_000)
  expect(instructions).toBeLessThanOrEqual(420)
  expect(largest).toBeLessThanOrEqual(20_000)
}, 600_000)
