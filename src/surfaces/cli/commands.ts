import {
  accountDomains,
  createAccount,
  deleteAccount,
  keepChanges,
  listAccounts,
  setAccount,
  setPlan,
} from "./accounts.ts"
import { backup, restore } from "./backup.ts"
import { check } from "./check.ts"
import type { Command } from "./command.ts"
import { compact } from "./compact.ts"
import {
  dismissDuplicateCommand,
  listDuplicatesCommand,
  mergeDuplicatesCommand,
  rescanDuplicatesCommand,
} from "./duplicates.ts"
import { exportCommand } from "./export.ts"
import { health } from "./health.ts"
import { importCommand } from "./import.ts"
import { deleteMappingCommand, imports, mappings, showImport, undoImportCommand } from "./imports.ts"
import { createKey, listKeys, revokeKeyCommand } from "./keys.ts"
import { log } from "./log.ts"
import { login, open } from "./login.ts"
import { mcp } from "./mcp.ts"
import { moveCommand } from "./move.ts"
import { decryptSecrets, encryptSecrets, rotateSecrets } from "./secrets.ts"
import { serve } from "./serve.ts"
import { tailWebhooks } from "./webhooks.ts"

/** Every command but help and version, in the order that help shows. */
export const commands: readonly Command[] = [
  serve,
  mcp,
  createAccount,
  listAccounts,
  setPlan,
  setAccount,
  keepChanges,
  accountDomains,
  deleteAccount,
  createKey,
  listKeys,
  revokeKeyCommand,
  open,
  login,
  log,
  tailWebhooks,
  importCommand,
  imports,
  showImport,
  undoImportCommand,
  mappings,
  deleteMappingCommand,
  exportCommand,
  listDuplicatesCommand,
  mergeDuplicatesCommand,
  dismissDuplicateCommand,
  rescanDuplicatesCommand,
  backup,
  restore,
  moveCommand,
  check,
  encryptSecrets,
  rotateSecrets,
  decryptSecrets,
  compact,
  health,
]
