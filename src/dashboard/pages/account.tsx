import { useState } from "preact/hooks"
import { get, patch } from "../core/api.ts"
import { formatNumber, percent, words } from "../core/format.ts"
import { useLoaded } from "../core/loading.ts"
import { isOwner, session } from "../core/session.ts"
import { attempt, say } from "../core/toast.ts"
import type { AccountAnswer, Stats } from "../core/types.ts"
import { Head, Labelled } from "../parts/bits.tsx"
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
      <Head title="Account" note={account.name} />
      <section class="card tile">
        <h2>Plan {words(account.plan)}</h2>
        {most !== null && used !== undefined && (
          <div class="meter">
            <span style={{ width: `${Math.min(100, (used / most) * 100)}%` }} />
          </div>
        )}
        <dl class="facts">
          <Row label="Leads">
            {used === undefined ? "…" : formatNumber(used)}{" "}
            {most === null ? "(no limit)" : `of ${formatNumber(most)} (${percent(used ?? 0, most)})`}
          </Row>
          <Row label="Storage">{data ? storageText(data.plan) : "…"}</Row>
          <Row label="Requests">
            {account.limits.requests === null
              ? "no limit"
              : `${formatNumber(account.limits.requests)} per 10 minutes, the dashboard aside`}
          </Row>
          <Row label="Batch">{formatNumber(account.limits.batch)} leads at a time</Row>
        </dl>
        <p class="muted">
          An administrator can change the plan:{" "}
          <code>leaddb accounts set-plan --account {account.id} --plan pro</code>
        </p>
      </section>
      <StatusLabels />
      <Country />
      <section class="card tile">
        <h2>You</h2>
        <dl class="facts">
          <Row label="Name">{now.actor.kind === "code" ? "This machine" : now.actor.name}</Row>
          <Row label="Role">{words(now.role)}</Row>
          <Row label="Account">
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
  return most === null ? written(used) : `${written(used)} of ${written(most)} (${percent(used, most)})`
}

const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" })
const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
/** Two letters that the browser has a country for, without those of countries that are called otherwise now. */
const COUNTRIES = LETTERS.flatMap((first) => LETTERS.map((second) => first + second))
  .flatMap((code) => {
    const isNow = Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`
    const name = isNow ? names.of(code) : undefined
    return name === undefined ? [] : [[code, name] as const]
  })
  .toSorted(([, a], [, b]) => a.localeCompare(b))

/** The country whose phones are meant where a number names none. */
function Country() {
  const { data, set } = useLoaded((signal) => get<AccountAnswer>("/account", {}, signal), [])
  const [turn, setTurn] = useState(0)
  if (!data) return null
  const now = data.default_country ?? ""
  async function change(code: string) {
    const isDone = await attempt(async () => {
      set(await patch<AccountAnswer>("/account", { default_country: code === "" ? null : code }))
      say(code === "" ? "Phones are read without a country" : `Phones are read as of ${names.of(code)}`)
    })
    if (!isDone) setTurn(turn + 1)
  }
  return (
    <section class="card tile">
      <h2>Phones</h2>
      <Labelled
        label="Default country for phone numbers"
        hint="030 1234567 and +49 30 1234567 are then the same phone. A lead's own country comes first."
      >
        <select
          key={turn}
          value={now}
          disabled={!isOwner.value}
          onChange={(event) => void change(event.currentTarget.value)}
        >
          <option value="">none</option>
          {COUNTRIES.map(([code, name]) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </select>
      </Labelled>
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
