// Every question there is, by which reader threads find what they are asked.
import { exportQuestion } from "../exports/export.ts"
import { exportSummaryQuestion } from "../exports/tickets.ts"
import { catalogueQuestion } from "../leads/attribute-catalogue.ts"
import { companiesQuestion } from "../leads/companies/operations.ts"
import { misfitsQuestion } from "../leads/definitions/output.ts"
import { activityCountsQuestion } from "../leads/groups/activity-counts.ts"
import { aggregateQuestion } from "../leads/groups/aggregate.ts"
import { countQuestion, idsQuestion } from "../leads/list/whole.ts"
import { fittingPageQuestion, pageQuestion } from "../leads/list-leads.ts"
import { matchQuestion } from "../leads/match/match.ts"
import { searchQuestion } from "../leads/search-tools.ts"
import { sharedRowsQuestion } from "../links/shared-rows.ts"
import type { Question } from "../operation.ts"
import { personQuestion } from "../privacy/person.ts"
import { untouchedQuestion } from "../privacy/retention-run.ts"
import { rulePreviewQuestion } from "../scoring/preview-rule.ts"
import { commonestQuestion, statsQuestion } from "./stats.ts"

export const questions: readonly Question<never, unknown>[] = [
  activityCountsQuestion,
  aggregateQuestion,
  catalogueQuestion,
  commonestQuestion,
  companiesQuestion,
  countQuestion,
  exportQuestion,
  exportSummaryQuestion,
  fittingPageQuestion,
  idsQuestion,
  matchQuestion,
  misfitsQuestion,
  pageQuestion,
  personQuestion,
  rulePreviewQuestion,
  searchQuestion,
  sharedRowsQuestion,
  statsQuestion,
  untouchedQuestion,
]
