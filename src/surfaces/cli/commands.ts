import { createAccount, listAccounts, setPlan } from "./accounts.ts"
import { backup } from "./backup.ts"
import { check } from "./check.ts"
import type { Command } from "./command.ts"
import { createKey, listKeys, revokeKey } from "./keys.ts"
import { login } from "./login.ts"
import { mcp } from "./mcp.ts"
import { serve } from "./serve.ts"
import { tailWebhooks } from "./webhooks.ts"

/** Every command but help and version, in the order that help shows. */
export const commands: readonly Command[] = [
  serve,
  mcp,
  createAccount,
  listAccounts,
  setPlan,
  createKey,
  listKeys,
  revokeKey,
  login,
  tailWebhooks,
  backup,
  check,
]
