import { get } from "../core/api.ts"
import { number, percent, words } from "../core/format.ts"
import { useLoaded } from "../core/loading.ts"
import { session } from "../core/session.ts"
import type { Stats } from "../core/types.ts"
import { Head } from "../parts/bits.tsx"

export default function Account() {
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
            {used === undefined ? "…" : number(used)}{" "}
            {most === null ? "of as many as you like" : `of ${number(most)} (${percent(used ?? 0, most)})`}
          </Row>
          <Row label="Requests">
            {account.limits.requests === null
              ? "no limit"
              : `${number(account.limits.requests)} per 10 minutes, the dashboard aside`}
          </Row>
          <Row label="Batch">{number(account.limits.batch)} leads at a time</Row>
        </dl>
        <p class="muted">
          Whoever has the machine changes the plan:{" "}
          <code>leaddb accounts set-plan --account {account.id} --plan pro</code>
        </p>
      </section>
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
