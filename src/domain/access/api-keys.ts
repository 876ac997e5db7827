import * as v from "valibot"
import { ROLES, type Role } from "../../core/access.ts"
import { hashApiKey, newApiKey, PREFIX_LENGTH } from "../../core/api-key-text.ts"
import { AppError, badRequest, notFound } from "../../core/errors.ts"
import { oneOf, RequiredLine, whole } from "../../core/fields.ts"
import { operation } from "../../core/operation.ts"
import type { ApiKeyRow, Transaction } from "../../store/store.ts"
import { Id } from "../leads/leads.ts"

const keyEntries = {
  id: v.string(),
  name: v.string(),
  prefix: v.string(),
  role: v.picklist(ROLES),
  created_at: v.pipe(v.number(), v.integer()),
  last_used_at: v.nullable(v.pipe(v.number(), v.integer())),
  expires_at: v.nullable(v.pipe(v.number(), v.integer())),
}
export const ApiKeyOutput = v.strictObject(keyEntries)

/** Makes a key; the raw one is in the answer and nowhere else. */
export async function issueKey(
  tx: Transaction,
  account: number,
  key: { name: string; role: Role; expires_at: number | null },
  now: number,
): Promise<ApiKeyRow & { key: string }> {
  const raw = newApiKey()
  const row = {
    id: tx.newId("key_"),
    name: key.name,
    prefix: raw.slice(0, PREFIX_LENGTH),
    role: key.role,
    created_at: now,
    last_used_at: null,
    expires_at: key.expires_at,
  }
  await tx.apiKeys.insert(account, { ...row, hash: hashApiKey(raw) })
  return { ...row, key: raw }
}

export const listApiKeys = operation({
  name: "list_api_keys",
  about: "List the account's API keys, without the keys themselves",
  access: "owner",
  http: "GET /api-keys",
  tool: true,
  input: v.strictObject({}),
  output: v.array(ApiKeyOutput),
  run: (ctx) => ctx.store.read.apiKeys.list(ctx.caller.account.key),
})

export const createApiKey = operation({
  name: "create_api_key",
  about: "Create a named API key; the key is shown only in this answer",
  access: "owner",
  http: "POST /api-keys",
  tool: true,
  input: v.strictObject({
    name: RequiredLine,
    role: v.optional(oneOf(ROLES)),
    expires_at: v.nullish(whole(0)),
  }),
  output: v.strictObject({ ...keyEntries, key: v.string() }),
  status: 201,
  async run(ctx, { name, role = "owner", expires_at = null }) {
    if (expires_at !== null && expires_at <= ctx.now) {
      throw badRequest(`expires_at must be in the future, in Unix seconds; now is ${ctx.now}`)
    }
    return ctx.store.write(ctx.caller.account.key, (tx) =>
      issueKey(tx, ctx.caller.account.key, { name, role, expires_at }, ctx.now),
    )
  },
})

export const deleteApiKey = operation({
  name: "delete_api_key",
  about: "Revoke an API key at once",
  access: "owner",
  http: "DELETE /api-keys/:id",
  tool: true,
  input: v.strictObject({ id: Id }),
  async run(ctx, { id }) {
    await ctx.store.write(ctx.caller.account.key, async (tx) => {
      const account = ctx.caller.account.key
      const keys = await tx.apiKeys.list(account)
      if (!keys.some((key) => key.id === id)) throw notFound("API key")
      const usable = (key: ApiKeyRow) =>
        key.role === "owner" && (key.expires_at === null || key.expires_at > ctx.now)
      if (
        !keys.some((key) => key.id !== id && usable(key)) &&
        keys.some((key) => key.id === id && usable(key))
      ) {
        throw new AppError(
          "conflict",
          "This is the last owner key: create another owner key before revoking it",
        )
      }
      await tx.apiKeys.remove(account, id)
    })
    return undefined
  },
})
