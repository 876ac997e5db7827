import { describe, expect } from "bun:test"
import { openTestAccount, test } from "../support/app.ts"
import { addMember, join } from "../support/member.ts"

describe("PUT /members/{id}", () => {
  test("changes the role, takes the name as it is, and says that another is not taken", async ({ call }) => {
    const { body } = await call("POST", "/members", { name: "Ada", role: "viewer" })
    const path = `/members/${body.id}`
    expect((await call("PUT", path, { name: "Ada", role: "editor" })).body.role).toBe("editor")
    const { status, body: refused } = await call("PUT", path, { name: "Grace", role: "owner" })
    expect([status, refused.message]).toEqual([
      400,
      'name cannot be changed: it is "Ada" in the audit trail; leave it out',
    ])
    expect((await call("GET", "/members")).body).toMatchObject([{ name: "Ada", role: "editor" }])
  })
})

describe("DELETE /members/{id}", () => {
  test("revokes the keys and invitations that the member made, and says which", async (service) => {
    const { id, ask } = await addMember(service, "Ada")
    const { body: first } = await ask("POST", "/api-keys", { name: "form" })
    const { body: second } = await service.as(first.key)("POST", "/api-keys", { name: "of the form" })
    const { body: guest } = await ask("POST", "/members", { name: "Grace" })
    const { status, body } = await service.call("DELETE", `/members/${id}`)
    expect([status, body]).toEqual([
      200,
      {
        id,
        deleted: true,
        revoked_keys: [
          { id: first.id, name: "form" },
          { id: second.id, name: "of the form" },
        ],
        revoked_invitations: [{ id: guest.id, name: "Grace" }],
        revoked: {
          api_keys: body.revoked_keys,
          invitations: body.revoked_invitations,
          links: [],
          sessions: [{ id: expect.stringMatching(/^ses_/) }],
        },
        webhooks: [],
      },
    ])
    for (const { key } of [first, second]) expect((await service.as(key)("GET", "/leads")).status).toBe(401)
    expect((await join(service, guest.invite)).status).toBe(401)
    const [left] = (await service.call("GET", "/members")).body
    expect([left.name, left.invite_expires_at]).toEqual(["Grace", null])
  })

  test("leaves them with keep_keys=true", async (service) => {
    const { id, ask } = await addMember(service, "Ada")
    const { body: made } = await ask("POST", "/api-keys", { name: "form" })
    const { body: guest } = await ask("POST", "/members", { name: "Grace" })
    expect((await service.call("DELETE", `/members/${id}?keep_keys=true`)).status).toBe(204)
    expect((await service.as(made.key)("GET", "/leads")).status).toBe(200)
    expect((await join(service, guest.invite)).status).toBe(201)
    const keys = (await service.call("GET", "/api-keys")).body
    expect(keys.map(({ issued_by }: { issued_by: string | null }) => issued_by)).toEqual([null, null])
  })

  test("answers 204 where there is nothing to revoke, and 409 before the last owner key would go", async () => {
    const service = await openTestAccount()
    const { id } = await addMember(service, "Ada", "editor")
    expect((await service.call("DELETE", `/members/${id}`)).status).toBe(204)
    const { id: owner, ask } = await addMember(service, "Grace")
    const { body: made } = await ask("POST", "/api-keys", { name: "new" })
    const [first] = (await service.call("GET", "/api-keys")).body
    expect((await service.as(made.key)("DELETE", `/api-keys/${first.id}`)).status).toBe(204)
    const refused = await ask("DELETE", `/members/${owner}`)
    expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining("keep_keys=true")])
    expect((await service.as(made.key)("GET", "/leads")).status).toBe(200)
  })
})

test("an invitation ends with the key that made it", async (service) => {
  const { body: made } = await service.call("POST", "/api-keys", { name: "of the clerk" })
  const { body: guest } = await service.as(made.key)("POST", "/members", { name: "Grace", role: "owner" })
  expect((await service.call("DELETE", `/api-keys/${made.id}`)).status).toBe(204)
  expect((await join(service, guest.invite)).status).toBe(401)
  const { body: anew } = await service.call("POST", `/members/${guest.id}/invite`)
  expect((await join(service, anew.invite)).status).toBe(201)
})

test("what revokes keys takes no member for a key", async (service) => {
  const { id, ask } = await addMember(service, "Ada")
  await ask("POST", "/api-keys", { name: "form" })
  expect((await service.call("DELETE", `/api-keys/${id}`)).status).toBe(404)
})
