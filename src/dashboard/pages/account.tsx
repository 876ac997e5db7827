import { useState } from "preact/hooks"
import { get, patch } from "../core/api.ts"
import { formatNumber, percent, roleName, words } from "../core/format.ts"
import { useLoaded } from "../core/loading.ts"
import { isOwner, session } from "../core/session.ts"
import { t, tx } from "../core/text.ts"
import { attempt, say } from "../core/toast.ts"
import type { AccountAnswer, Stats } from "../core/types.ts"
import { Head } from "../parts/bits.tsx"
import { CountryField } from "../parts/country-field.tsx"
import { Select } from "../parts/fields.tsx"
import { StatusLabels } from "../parts/status-labels.tsx"

export default function AccountPage() {
  const { data } = useLoaded((signal) => get<Stats>("/stats", {}, signal), [])
  const now = session.value
  if (!now) return null
  const { account } = now
  const used = data?.plan.leads_used
  const most = account.limits.leads
  return (
    <div class="page narrow">
      <Head title={t("Account")} note={account.name} />
      <section class="card tile">
        <h2>{t("Plan {plan}", { plan: words(account.plan) })}</h2>
        {most !== null && used !== undefined && (
          <div class="meter">
            <span style={{ width: `${Math.min(100, (used / most) * 100)}%` }} />
          </div>
        )}
        <dl class="facts">
          <Row label={t("Leads")}>
            {used === undefined ? "…" : formatNumber(used)}{" "}
            {most === null
              ? t("(no limit)")
              : t("of {most} ({used})", { most: formatNumber(most), used: percent(used ?? 0, most) })}
          </Row>
          <Row label={t("Storage")}>{data ? storageText(data.plan) : "…"}</Row>
          <Row label={t("Requests")}>
            {account.limits.requests === null
              ? t("no limit")
              : t("{requests} per 10 minutes, the dashboard aside", {
                  requests: formatNumber(account.limits.requests),
                })}
          </Row>
          <Row label={t("Batch")}>
            {t("{batch} leads at a time", { batch: formatNumber(account.limits.batch) })}
          </Row>
        </dl>
        <p class="muted">
          {tx("An administrator can change the plan: {code}", {
            code: <code>leaddb accounts set-plan --account {account.id} --plan pro</code>,
          })}
        </p>
      </section>
      <StatusLabels />
      <Country />
      <TimeZone />
      <section class="card tile">
        <h2>{t("You")}</h2>
        <dl class="facts">
          <Row label={t("Name")}>{now.actor.kind === "code" ? t("This machine") : now.actor.name}</Row>
          <Row label={t("Role")}>{roleName(now.role)}</Row>
          <Row label={t("Account")}>
            <code>{account.id}</code>
          </Row>
        </dl>
      </section>
    </div>
  )
}

const MEGABYTE = 1024 * 1024

function storageText({ storage_used: used, storage_limit: most }: Stats["plan"]): string {
  const written = (bytes: number) =>
    bytes < MEGABYTE
      ? `${formatNumber(Math.ceil(bytes / 1024))} KB`
      : `${formatNumber(Math.round(bytes / MEGABYTE))} MB`
  if (used === null) return ""
  return most === null
    ? written(used)
    : t("{used} of {most} ({percent})", {
        used: written(used),
        most: written(most),
        percent: percent(used, most),
      })
}

/** The country whose phones are meant where a number names none. */
function Country() {
  return (
    <section class="card tile">
      <h2>{t("Phones")}</h2>
      <CountryField />
    </section>
  )
}

const ZONES = ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone.includes("/"))]

/** The zone of days in filters and reports. */
function TimeZone() {
  const { data, set } = useLoaded((signal) => get<AccountAnswer>("/account", {}, signal), [])
  const [turn, setTurn] = useState(0)
  if (!data) return null
  const now = data.time_zone
  async function change(zone: string) {
    const isDone = await attempt(async () => {
      set(await patch<AccountAnswer>("/account", { time_zone: zone }))
      say(t("Days are those of {zone}", { zone }))
    })
    if (!isDone) setTurn(turn + 1)
  }
  return (
    <section class="card tile">
      <h2>{t("Time zone")}</h2>
      <Select
        label={t("Time zone of the account's days")}
        hint={t("When a day begins and ends in filters, such as today or 2026-03-31.")}
        key={turn}
        value={now}
        disabled={!isOwner.value}
        options={[...new Set([now, ...ZONES])].map((zone) => [zone, zone.replaceAll("_", " ")] as const)}
        onChange={(value) => void change(value)}
      />
    </section>
  )
}

function Row({ label, children }: { label: string; children: preact.ComponentChildren }) {
  return (
    <div class="fact">
      <dt>{label}</dt>
      <dd>
        <span>{children}</span>
      </dd>
    </div>
  )
}
