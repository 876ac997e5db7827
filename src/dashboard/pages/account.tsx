import { useState } from "preact/hooks"
import { patch, put } from "../core/api.ts"
import { formatNumber, percent, roleName, words } from "../core/format.ts"
import { useGet } from "../core/loading.ts"
import { isOwner, session } from "../core/session.ts"
import { knowStatuses, statuses } from "../core/statuses.ts"
import { t, tx } from "../core/text.ts"
import { say } from "../core/toast.ts"
import type { AccountAnswer, Stats, StatusLabel } from "../core/types.ts"
import { Head } from "../parts/bits.tsx"
import { ColorSelect, UpButton } from "../parts/colors.tsx"
import { CountryField } from "../parts/country-field.tsx"
import { Form, SavedSelect } from "../parts/fields.tsx"
import { Fact } from "../parts/things.tsx"

export default function AccountPage() {
  const { data } = useGet<Stats>("/stats")
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
          <Fact label={t("Leads")}>
            <span>
              {used === undefined ? "…" : formatNumber(used)}{" "}
              {most === null
                ? t("(no limit)")
                : t("of {most} ({used})", { most: formatNumber(most), used: percent(used ?? 0, most) })}
            </span>
          </Fact>
          <Fact label={t("Storage")}>
            <span>{data ? storageText(data.plan) : "…"}</span>
          </Fact>
          <Fact label={t("Requests")}>
            <span>
              {account.limits.requests === null
                ? t("no limit")
                : t("{requests} per 10 minutes, the dashboard aside", {
                    requests: formatNumber(account.limits.requests),
                  })}
            </span>
          </Fact>
          <Fact label={t("Batch")}>
            <span>{t("{batch} leads at a time", { batch: formatNumber(account.limits.batch) })}</span>
          </Fact>
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
          <Fact label={t("Name")}>
            <span>{now.actor.kind === "code" ? t("This machine") : now.actor.name}</span>
          </Fact>
          <Fact label={t("Role")}>
            <span>{roleName(now.role)}</span>
          </Fact>
          <Fact label={t("Account")}>
            <span>
              <code>{account.id}</code>
            </span>
          </Fact>
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
  const { data, set } = useGet<AccountAnswer>("/account")
  if (!data) return null
  const now = data.time_zone
  async function save(zone: string) {
    set(await patch<AccountAnswer>("/account", { time_zone: zone }))
    say(t("Days are those of {zone}", { zone }))
  }
  return (
    <section class="card tile">
      <h2>{t("Time zone")}</h2>
      <SavedSelect
        label={t("Time zone of the account's days")}
        hint={t("When a day begins and ends in filters, such as today or 2026-03-31.")}
        value={now}
        disabled={!isOwner.value}
        options={[...new Set([now, ...ZONES])].map((zone) => [zone, zone.replaceAll("_", " ")] as const)}
        save={save}
      />
    </section>
  )
}

/** The account's names, order and colours of the five statuses. */
function StatusLabels() {
  const [list, setList] = useState(statuses.value)
  const change = (at: number, changed: Partial<StatusLabel>) =>
    setList(list.map((one, i) => (i === at ? { ...one, ...changed } : one)))
  const up = (at: number) => {
    const next = [...list]
    next.splice(at - 1, 0, ...next.splice(at, 1))
    setList(next)
  }
  return (
    <section class="card tile">
      <h2>{t("Statuses")}</h2>
      <p class="muted">{t("Names, order and colours on screens. The API keeps the five values.")}</p>
      <Form
        onSend={async () => {
          const sent = list.map((one, position) => ({ ...one, position }))
          knowStatuses(await put<StatusLabel[]>("/account/statuses", { statuses: sent }))
          say(t("Statuses saved"))
        }}
      >
        <ul class="status-labels">
          {list.map(({ value, label, color }, i) => (
            <li key={value} class="row">
              <span class={`status c-${color}`}>{words(value)}</span>
              <input
                aria-label={t("Name of {value}", { value: words(value) })}
                value={t(label)}
                maxLength={40}
                required
                disabled={!isOwner.value}
                onInput={(event) => change(i, { label: event.currentTarget.value })}
              />
              <ColorSelect
                of={words(value)}
                value={color}
                disabled={!isOwner.value}
                onChange={(color) => change(i, { color })}
              />
              {isOwner.value && i > 0 && <UpButton of={words(value)} onClick={() => up(i)} />}
            </li>
          ))}
        </ul>
        {isOwner.value && <button class="primary">{t("Save statuses")}</button>}
      </Form>
    </section>
  )
}
