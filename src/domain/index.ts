// Every operation there is. REST, tools, the OpenAPI document and the docs are read from this list.
import type { Operation } from "../core/operation.ts"
import { createApiKey, deleteApiKey, listApiKeys } from "./api-keys.ts"
import { createAttribute, deleteAttribute, listAttributes, updateAttribute } from "./attributes.ts"
import { listChanges } from "./changes.ts"
import { batchCreateLeads, batchDeleteLeads, batchUpdateLeads } from "./lead-batch.ts"
import { exportLeadsOperation } from "./lead-export.ts"
import { importLeadsOperation } from "./lead-import.ts"
import { listLeads } from "./lead-list.ts"
import { createLeadTag } from "./lead-tags.ts"
import { listLeadsTool } from "./lead-tool.ts"
import { createLead, deleteLead, getLead, updateLeadOperation } from "./leads.ts"
import { createNote, deleteNote, listNotes, updateNote } from "./notes.ts"
import { previewScoringRule, updateAllScores, updateLeadScore } from "./scoring.ts"
import {
  createScoringRule,
  deleteScoringRule,
  getScoringRule,
  listScoringRules,
  updateScoringRule,
} from "./scoring-rules.ts"
import { getStats, listCategories, listCities } from "./stats.ts"
import { listDeliveries, retryDeliveries, retryDelivery, testWebhook } from "./webhook-deliveries.ts"
import { createWebhook, deleteWebhook, getWebhook, listWebhooks, updateWebhook } from "./webhooks.ts"

export const operations = [
  listLeads,
  exportLeadsOperation,
  importLeadsOperation,
  listLeadsTool,
  getLead,
  createLead,
  updateLeadOperation,
  deleteLead,
  createLeadTag,
  listChanges,
  batchCreateLeads,
  batchUpdateLeads,
  batchDeleteLeads,
  createNote,
  listNotes,
  updateNote,
  deleteNote,
  listAttributes,
  createAttribute,
  updateAttribute,
  deleteAttribute,
  listScoringRules,
  createScoringRule,
  getScoringRule,
  updateScoringRule,
  deleteScoringRule,
  previewScoringRule,
  updateLeadScore,
  updateAllScores,
  listWebhooks,
  createWebhook,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  testWebhook,
  listDeliveries,
  retryDelivery,
  retryDeliveries,
  listApiKeys,
  createApiKey,
  deleteApiKey,
  getStats,
  listCategories,
  listCities,
] as unknown as readonly Operation[]
