import { memoryUsage } from "bun:jsc"
import { workCutOff } from "../../expression/budget.ts"
import { type Metric, number, type Sample } from "../../runtime/metrics.ts"
import type { Vitals } from "../../runtime/vitals.ts"

/** Facts that are constant while the service runs. */
export interface RunFacts {
  version: string
  /** Unix milliseconds. */
  started: number
}

/** Everything there is to say of the service now, besides its requests. */
export async function serviceMetrics(
  vitals: Vitals,
  { version, started }: RunFacts,
  now: number,
): Promise<Metric[]> {
  return [
    {
      type: "gauge",
      name: "leaddb_build_info",
      help: "Always 1; the version is in the labels.",
      samples: [[{ version, bun: Bun.version }, 1]],
    },
    number("gauge", "leaddb_uptime_seconds", "Time since the start.", Math.max(0, (now - started) / 1000)),
    number("gauge", "process_start_time_seconds", "When it was started, in Unix seconds.", started / 1000),
    number("gauge", "process_resident_memory_bytes", "Memory in use.", memoryUsage().current),
    ...writeMetrics(vitals),
    ...readMetrics(vitals),
    ...fileMetrics(vitals),
    ...(await deliveryMetrics(vitals)),
    ...backupMetrics(vitals),
    ...(await duplicateMetrics(vitals)),
    ...(await accountMetrics(vitals)),
    number(
      "counter",
      "leaddb_scoring_cut_off_total",
      "Leads whose scoring rules looked through too much text and were cut off, in requests.",
      workCutOff(),
    ),
  ]
}

function writeMetrics({ writes }: Vitals): Metric[] {
  return [
    number("gauge", "leaddb_write_queue_depth", "Writes that wait for their turn.", writes.depth()),
    {
      type: "histogram",
      name: "leaddb_commit_group_size",
      help: "Writes that were committed together.",
      histograms: [[{}, writes.sizes]],
    },
    {
      type: "histogram",
      name: "leaddb_commit_duration_seconds",
      help: "Time that a group of writes took, its commit included.",
      histograms: [[{}, writes.seconds]],
    },
    number(
      "gauge",
      "leaddb_write_failing",
      "1 while the last write could not be stored.",
      writes.failure() ? 1 : 0,
    ),
  ]
}

function readMetrics({ reads }: Vitals): Metric[] {
  if (!reads) return []
  const { underWay, connections } = reads()
  return [
    number("gauge", "leaddb_database_reads", "Reads of the database that are under way.", underWay),
    number("gauge", "leaddb_database_connections", "Connections that reads share at most.", connections),
  ]
}

function fileMetrics({ files }: Vitals): Metric[] {
  if (!files) return []
  const { database, wal, free } = files()
  return [
    number("gauge", "leaddb_database_bytes", "Size of the database file.", database),
    number("gauge", "leaddb_wal_bytes", "Size of the write-ahead log.", wal),
    number("gauge", "leaddb_disk_free_bytes", "What is free on the disk of the database.", free),
  ]
}

async function deliveryMetrics({ deliveries }: Vitals): Promise<Metric[]> {
  const overdue = (await deliveries.overdue()) / 1000
  return [
    {
      type: "counter",
      name: "leaddb_webhook_attempts_total",
      help: "Attempts to deliver: succeeded, to be retried, or the last (failed: refused; expired: no answer).",
      samples: Object.entries(deliveries.attempts()).map(([outcome, count]) => [{ outcome }, count]),
    },
    number("gauge", "leaddb_webhook_overdue_seconds", "How late the most overdue delivery is.", overdue),
    number(
      "gauge",
      "leaddb_worker_running",
      "1 while the worker thread runs.",
      deliveries.isWorkerRunning() ? 1 : 0,
    ),
  ]
}

async function duplicateMetrics({ duplicates }: Vitals): Promise<Metric[]> {
  const { waiting, open } = await duplicates.counts()
  return [
    number("gauge", "leaddb_duplicates_waiting", "Leads that have yet to be compared with others.", waiting),
    number("gauge", "leaddb_duplicates_open", "Pairs of 50 % and more that nobody has decided on.", open),
    number(
      "counter",
      "leaddb_duplicates_compared_total",
      "Leads that were compared with others.",
      duplicates.compared(),
    ),
  ]
}

function backupMetrics({ backups }: Vitals): Metric[] {
  if (!backups) return []
  const last = backups.last()
  const ofLast = (value: number | undefined): Sample[] => (value === undefined ? [] : [[{}, value]])
  return [
    number(
      "gauge",
      "leaddb_backup_last_success_timestamp_seconds",
      "When the newest automatic backup was begun, in Unix seconds; 0 when there is none.",
      (backups.newest() ?? 0) / 1000,
    ),
    {
      type: "gauge",
      name: "leaddb_backup_duration_seconds",
      help: "Time that the last automatic backup took, its check included.",
      samples: ofLast(last && last.milliseconds / 1000),
    },
    {
      type: "gauge",
      name: "leaddb_backup_bytes",
      help: "Size of the last automatic backup.",
      samples: ofLast(last?.bytes),
    },
    number(
      "counter",
      "leaddb_backup_failures_total",
      "Automatic backups that could not be made.",
      backups.failures(),
    ),
  ]
}

async function accountMetrics(vitals: Vitals): Promise<Metric[]> {
  const accounts = await vitals.accounts()
  const plans = [...new Set(accounts.map(({ plan }) => plan))].toSorted()
  const perPlan = (value: (of: typeof accounts) => number): Sample[] =>
    plans.map((plan) => [{ plan }, value(accounts.filter((account) => account.plan === plan))])
  return [
    { type: "gauge", name: "leaddb_accounts", help: "Accounts.", samples: perPlan((all) => all.length) },
    {
      type: "gauge",
      name: "leaddb_leads",
      help: "Leads that are kept.",
      samples: perPlan((all) => all.reduce((sum, { leads }) => sum + leads, 0)),
    },
  ]
}
