// An older backup brings nobody back who was erased, or put on the do-not-contact list, since.
import { expect, test } from "bun:test"
import { join } from "node:path"
import { openPlace } from "../support/service.ts"
import { until } from "../support/until.ts"

test("a restore keeps later entries of the do-not-contact list, and erases again who was erased", async () => {
  await using place = openPlace()
  const first = await place.serve()
  const { call } = first
  const create = async (email: string) =>
    (await call("POST", "/leads", { name: email, source: "web", email })).body.id as string
  const [gone, kept] = [await create("gone@example.com"), await create("kept@example.com")]
  await call("POST", "/suppressions", { value: "before@example.com" })
  expect((await place.run(["backup", "b.db"])).code).toBe(0)
  await call("DELETE", `/leads/${gone}?erase=true`)
  await call("POST", "/suppressions", { value: "after.example" })
  await first.stop()

  const { code, json } = await place.run(["restore", join(place.folder, "b.db"), "--json"])
  expect([code, json.restore.carried]).toEqual([0, { entries: 2, erased: 1 }])
  expect(json.warnings.join()).toContain("erased again")

  const { call: again } = await place.serve()
  await until("the lead is erased again", async () => (await again("GET", `/leads/${gone}`)).status === 404)
  expect((await again("GET", `/leads/${kept}`)).status).toBe(200)
  const push = (email: string) => again("POST", "/leads", { name: "Again", source: "web", email })
  for (const email of ["gone@example.com", "a@after.example", "before@example.com"])
    expect((await push(email)).body.code).toBe("suppressed")
  expect((await again("GET", "/suppressions")).body.total).toBe(3)
})
