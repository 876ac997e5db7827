// Long work as tasks, for clients of protocol 2026-07-28 that follow them.
import { describe, expect } from "bun:test"
import { openTestAccount, type TestAccount, test } from "../support/app.ts"
import { LEAST } from "../support/lead.ts"
import { until } from "../support/until.ts"
import { call, modernRpc, readCall } from "./support.ts"

const TASKS = { extensions: { "io.modelcontextprotocol/tasks": {} } }
const MANY = 1_001

/** A service with enough leads that changing all of them is a job, and the call that does it. */
async function openMany(): Promise<TestAccount> {
  const service = await openTestAccount()
  const leads = Array.from({ length: MANY }, (_, i) => ({ name: `Lead ${i}`, source: "web", city: "Bonn" }))
  for (const part of [leads.slice(0, 1_000), leads.slice(1_000)])
    await service.call("POST", "/leads/batch", { leads: part })
  return service
}
const ALL = {
  name: "batch_update_leads",
  arguments: { filter: ["and.eq.city.Bonn"], data: { status: "qualified" } },
}

describe("a client that follows tasks", () => {
  test("gets a task for a job, sees how far it is, and finds the result of the call there", async () => {
    const service = await openMany()
    const { result: handle } = await modernRpc(service, "tools/call", ALL, TASKS)
    const { taskId } = handle
    expect(taskId).toStartWith("job_")
    expect(handle).toMatchObject({ resultType: "task", ttlMs: 2_592_000_000 })
    expect(handle.content).toBeUndefined()
    const get = () => modernRpc(service, "tasks/get", { taskId }, TASKS)
    await until("the task ended", async () => (await get()).result.status === "completed")
    const { result: task } = await get()
    expect(task).toMatchObject({ resultType: "complete", statusMessage: "1,001 of 1,001 done" })
    expect(task.result.resultType).toBe("complete")
    expect(readCall(task.result).data).toMatchObject({
      ...{ job: taskId, matched: MANY, success: MANY, failed: 0, state: "done" },
      batch_id: expect.any(String),
    })
    const update = { taskId, inputResponses: {} }
    expect((await modernRpc(service, "tasks/update", update, TASKS)).result.resultType).toBe("complete")
    // One that has ended stays as it is.
    const cancelled = await modernRpc(service, "tasks/cancel", { taskId }, TASKS)
    expect(Object.keys(cancelled.result).sort()).toEqual(["_meta", "resultType"])
    expect((await get()).result.status).toBe("completed")
  })

  test("gets the result at once of what is no job", async (service) => {
    const create = { name: "create_lead", arguments: LEAST }
    const { result } = await modernRpc(service, "tools/call", create, TASKS)
    expect(result.resultType).toBe("complete")
    expect(readCall(result).data.name).toBe(LEAST.name)
  })

  test.for(["tasks/get", "tasks/update", "tasks/cancel"])(
    "is told by %s of a task that is not there, or another account's",
    async (method, service) => {
      const params = { taskId: "job_01a2177c-e245-7000-95f6-19c1c81faaba", inputResponses: {} }
      expect((await modernRpc(service, method, params, TASKS)).body.error.code).toBe(-32602)
      expect((await modernRpc(service, method, params)).body.error).toMatchObject({
        code: -32021,
        data: { requiredCapabilities: TASKS },
      })
    },
  )

  test("is told that the server has tasks; one of an older protocol is not, and waits", async () => {
    const service = await openMany()
    const { result } = await modernRpc(service, "server/discover", {})
    expect(result.capabilities.extensions["io.modelcontextprotocol/tasks"]).toEqual({})
    const { data } = await call(service, ALL.name, ALL.arguments)
    expect(data).toMatchObject({ matched: MANY, success: MANY, state: "done" })
  })
})
