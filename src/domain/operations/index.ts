// Every operation there is. REST, tools, the OpenAPI document and the docs are read from this list.

import { getAccount, updateAccount } from "../access/account.ts"
import { listAdminLog } from "../access/admin-log.ts"
import { createApiKey, deleteApiKey, listApiKeys } from "../access/api-keys.ts"
import { approveApp } from "../access/app-sign-in.ts"
import * as members from "../access/members.ts"
import { getNetwork, setNetwork } from "../access/network.ts"
import * as sessions from "../access/sessions.ts"
import { listStatuses, updateStatuses } from "../access/statuses.ts"
import { listAccountChanges } from "../changes/list.ts"
import { listChanges } from "../changes/of-lead.ts"
import { revertChanges } from "../changes/revert.ts"
import { undoMerge } from "../changes/undo-merge.ts"
import { listDuplicates, listLeadDuplicates } from "../duplicates/list.ts"
import { mergeLeadsOperation } from "../duplicates/merge.ts"
import { mergeDuplicates } from "../duplicates/merge-many.ts"
import { getDuplicateModel, updateDuplicateModel } from "../duplicates/model.ts"
import { dismissDuplicate, getDuplicate, reopenDuplicate, updateDuplicate } from "../duplicates/pairs.ts"
import { getDuplicateStatus, rescanDuplicates } from "../duplicates/status.ts"
import { exportLeadsOperation } from "../exports/export.ts"
import { downloadExport } from "../exports/tickets.ts"
import { createForm, deleteForm, getForm, listForms, updateForm } from "../forms/forms.ts"
import { listFormSpam, releaseFormSpam } from "../forms/spam.ts"
import { importLeadsOperation, importLeadsTool } from "../imports/import.ts"
import * as mappings from "../imports/run/mappings.ts"
import { getImport, listImports } from "../imports/run/records.ts"
import { undoImport } from "../imports/undo.ts"
import { getJob, listJobs, stopJob } from "../jobs/jobs.ts"
import { deleteActivity, listActivities, logActivity } from "../leads/activities/activities.ts"
import { createNote, deleteNote, listNotes, updateNote } from "../leads/activities/notes.ts"
import { listAttributeCatalogue, listAttributesTool } from "../leads/attribute-catalogue.ts"
import { createAttribute, deleteAttribute, listAttributes, updateAttribute } from "../leads/attributes.ts"
import { batchCreateLeads, batchDeleteLeads, batchUpdateLeads } from "../leads/bulk/batch.ts"
import { bulkLeads } from "../leads/bulk/bulk.ts"
import { getCompany, listCompanies, mergeCompanies, setLeadCompany } from "../leads/companies/operations.ts"
import * as definitions from "../leads/definitions/operations.ts"
import { deleteLead } from "../leads/delete-lead.ts"
import { setEmailStatus } from "../leads/email-status.ts"
import { enrichLead } from "../leads/enrichment/enrich.ts"
import { countActivities } from "../leads/groups/activity-counts.ts"
import { aggregateLeads } from "../leads/groups/aggregate.ts"
import * as leads from "../leads/lead-operations.ts"
import { listLeads } from "../leads/list-leads.ts"
import { matchLeads } from "../leads/match/match.ts"
import { fetchTool, searchTool } from "../leads/search-tools.ts"
import * as segments from "../leads/segments/segments.ts"
import { createStage, deleteStage, listStages, updateStage } from "../leads/stages/operations.ts"
import { createLink, deleteLink, listLinks } from "../links/links.ts"
import { type Operation, withTool } from "../operation.ts"
import { listErasures } from "../privacy/erasures.ts"
import { exportPerson } from "../privacy/person.ts"
import * as retention from "../privacy/retention.ts"
import { explainLeadScore, previewScoringRule, updateAllScores, updateLeadScore } from "../scoring/scoring.ts"
import * as rules from "../scoring/scoring-rules.ts"
import { importSuppressions } from "../suppressions/file.ts"
import * as suppressions from "../suppressions/suppressions.ts"
import { getUnsubscribeLink } from "../suppressions/unsubscribe.ts"
import * as templates from "../templates/templates.ts"
import { listDeliveries, retryDeliveries, retryDelivery, testWebhook } from "../webhooks/deliveries.ts"
import * as webhooks from "../webhooks/webhooks.ts"
import { batchDeleteLeadsTool, batchUpdateLeadsTool, createLeadTag, createNoteTool } from "./bulk-tools.ts"
import { getLeadTool } from "./lead-tool.ts"
import { getStats, listCategories, listCities } from "./stats.ts"

export const operations = [
  listLeads,
  aggregateLeads,
  exportLeadsOperation,
  downloadExport,
  withTool(importLeadsOperation, importLeadsTool),
  listImports,
  getImport,
  undoImport,
  mappings.listMappings,
  mappings.getMapping,
  mappings.createMapping,
  mappings.updateMapping,
  mappings.deleteMapping,
  searchTool,
  fetchTool,
  withTool(leads.getLead, getLeadTool),
  leads.createLead,
  leads.updateLeadOperation,
  deleteLead,
  leads.upsertLeadByEmail,
  leads.upsertLeadBySourceId,
  enrichLead,
  setEmailStatus,
  createLeadTag,
  matchLeads,
  suppressions.listSuppressions,
  suppressions.getSuppression,
  suppressions.createSuppression,
  importSuppressions,
  suppressions.deleteSuppression,
  getUnsubscribeLink,
  listChanges,
  listAccountChanges,
  revertChanges,
  listJobs,
  getJob,
  stopJob,
  getDuplicateStatus,
  getDuplicateModel,
  updateDuplicateModel,
  listDuplicates,
  listLeadDuplicates,
  getDuplicate,
  updateDuplicate,
  dismissDuplicate,
  reopenDuplicate,
  rescanDuplicates,
  mergeLeadsOperation,
  mergeDuplicates,
  undoMerge,
  batchCreateLeads,
  withTool(batchUpdateLeads, batchUpdateLeadsTool),
  withTool(batchDeleteLeads, batchDeleteLeadsTool),
  bulkLeads,
  withTool(createNote, createNoteTool),
  listNotes,
  updateNote,
  deleteNote,
  logActivity,
  listActivities,
  countActivities,
  deleteActivity,
  templates.listTemplates,
  templates.createTemplate,
  templates.getTemplateOperation,
  templates.updateTemplate,
  templates.deleteTemplate,
  templates.renderTemplate,
  withTool(listAttributes, listAttributesTool),
  listAttributeCatalogue,
  definitions.updateAttributeDefinition,
  definitions.mergeAttributes,
  definitions.deleteAttributeDefinition,
  createAttribute,
  updateAttribute,
  deleteAttribute,
  rules.listScoringRules,
  rules.createScoringRule,
  rules.getScoringRule,
  rules.updateScoringRule,
  rules.deleteScoringRule,
  previewScoringRule,
  explainLeadScore,
  updateLeadScore,
  updateAllScores,
  segments.listSegments,
  segments.createSegment,
  segments.getSegment,
  segments.updateSegment,
  segments.deleteSegment,
  listCompanies,
  getCompany,
  mergeCompanies,
  setLeadCompany,
  listStages,
  createStage,
  updateStage,
  deleteStage,
  listLinks,
  createLink,
  deleteLink,
  webhooks.listWebhooks,
  webhooks.createWebhook,
  webhooks.getWebhook,
  webhooks.updateWebhook,
  webhooks.deleteWebhook,
  testWebhook,
  listDeliveries,
  retryDelivery,
  retryDeliveries,
  listForms,
  createForm,
  getForm,
  updateForm,
  deleteForm,
  listFormSpam,
  releaseFormSpam,
  listApiKeys,
  createApiKey,
  deleteApiKey,
  getAccount,
  updateAccount,
  retention.listRetentionRules,
  retention.createRetentionRule,
  retention.getRetentionRule,
  retention.updateRetentionRule,
  retention.deleteRetentionRule,
  retention.runRetentionRule,
  exportPerson,
  listErasures,
  getNetwork,
  setNetwork,
  listStatuses,
  updateStatuses,
  listAdminLog,
  sessions.createSession,
  sessions.createPasskeyChallenge,
  sessions.getSession,
  sessions.listSessions,
  sessions.deleteSession,
  approveApp,
  members.listMembers,
  members.inviteMember,
  members.updateMember,
  members.reinviteMember,
  members.deleteMember,
  members.readInvite,
  members.acceptInvite,
  getStats,
  listCategories,
  listCities,
] as unknown as readonly Operation[]
