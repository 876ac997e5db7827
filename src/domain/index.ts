// Every operation there is. REST, tools, the OpenAPI document and the docs are read from this list.
import type { Operation } from "../core/operation.ts"
import { createApiKey, deleteApiKey, listApiKeys } from "./api-keys.ts"
import { listChanges } from "./changes.ts"
import { listLeads } from "./lead-list.ts"
import { createLead, deleteLead, getLead, updateLeadOperation } from "./leads.ts"

export const operations = [
  listLeads,
  getLead,
  createLead,
  updateLeadOperation,
  deleteLead,
  listChanges,
  listApiKeys,
  createApiKey,
  deleteApiKey,
] as unknown as readonly Operation[]
