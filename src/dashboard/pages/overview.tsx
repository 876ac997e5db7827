import { useState } from "preact/hooks"
import { get, peek } from "../core/api.ts"
import { formatNumber, percent, plural, words } from "../core/format.ts"
import { useLiveLoaded } from "../core/live.ts"
import { useLoaded } from "../core/loading.ts"
import { fetchGroups, lastDays, scoreBins } from "../core/numbers.ts"
import { href } from "../core/router.ts"
import { hasRules } from "../core/rules.ts"
import { canWrite } from "../core/session.ts"
import { t, tx } from "../core/text.ts"
import { attempt, say } from "../core/toast.ts"
import type { AccountAnswer, ChangeFeed, Groups, RetentionRule, Stats } from "../core/types.ts"
import { actorName } from "../parts/actors.ts"
import { Ago, Button, Card, Empty, FailureNote, Head } from "../parts/bits.tsx"
import { BarList, ScoreChart, SERIES_MOST, Stack, Swatch, scoreColor } from "../parts/charts.tsx"

const DAYS = 60
const CITIES = 8

export default function Overview() {
  const stats = useLiveLoaded((signal) => get<Stats>("/stats", {}, signal), [])
  if (stats.error) {
    return (
      <div class="page">
        <Head title={t("Overview")} />
        <FailureNote error={stats.error} again={stats.again} />
      </div>
    )
  }
  const { data } = stats
  if (!data) return <div class="page" aria-busy="true" />
  if (data.total_leads === 0) return <Beginning onSample={stats.again} />
  return (
    <div class="page overview">
      <Head title={t("Overview")} />
      {(data.by_source.sample ?? 0) > 0 && <SampleNote onDone={stats.again} />}
      <RetentionNote />
      <Tiles stats={data} />
      <div class="columns wide-narrow">
        <PerDay />
        <Scores stats={data} />
      </div>
      <div class="columns">
        <Funnel stats={data} />
        <Cities />
      </div>
      <Latest />
    </div>
  )
}

function Beginning({ onSample }: { onSample: () => void }) {
  return (
    <div class="page">
      <h1 class="unseen">{t("Overview")}</h1>
      <Empty
        icon="overview"
        title={t("Nothing to look at yet")}
        text={t("Import a CSV, Excel or JSON file. Columns are recognised, and you see a preview first.")}
      >
        {canWrite.value && (
          <p class="actions">
            <a class="button primary" href={href("import")}>
              {t("Import a file")}
            </a>
            <a class="button" href={href("connect")}>
              {t("Connect a program")}
            </a>
            <AddSample onDone={onSample} />
          </p>
        )}
      </Empty>
    </div>
  )
}

function Tiles({ stats }: { stats: Stats }) {
  const { total_leads: total, score, with_email, by_status, created_last_7_days: recent } = stats
  const ofAll = (count: number) => t("{share} of all", { share: percent(count, total) })
  const inDays = t("{recent} in the last 7 days", { recent: formatNumber(recent) })
  const tiles: readonly (readonly [label: string, value: number, note: string, filter: string])[] = [
    [t("Leads"), total, inDays, ""],
    ...(hasRules.value
      ? [[t("Hot, 70 and more"), score.hot, ofAll(score.hot), "and.gte.score.70"] as const]
      : []),
    [t("With an email"), with_email, ofAll(with_email), "and.is_not_empty.email."],
    [t("Converted"), by_status.converted, ofAll(by_status.converted), "and.eq.status.converted"],
  ]
  return (
    <div class="tiles">
      {tiles.map(([label, value, note, filter]) => (
        <a key={label} class="card stat" href={href("leads", filter === "" ? {} : { filter })}>
          <span class="stat-label">{label}</span>
          <span class="stat-value">{formatNumber(value)}</span>
          <span class="stat-note">{note}</span>
        </a>
      ))}
    </div>
  )
}

function PerDay() {
  const { data, error } = useLiveLoaded(async (signal) => {
    const filter = [`and.gte.created_at.${DAYS - 1}d`]
    const query = { group_by: "created_at,source", by: "day", filter, limit: 1000 }
    const [{ time_zone }, { groups }] = await Promise.all([
      get<AccountAnswer>("/account", {}, signal),
      fetchGroups(query, signal),
    ])
    return stackOf(lastDays(DAYS, time_zone), groups)
  }, [])
  return (
    <Card title={t("New leads per day, by source")}>
      {error !== undefined && <FailureNote error={error} />}
      {data && (
        <Stack
          days={data.days}
          series={data.series}
          hrefOf={(day) =>
            href("leads", { filter: `and.eq.created_at.${day}`, sort: "created_at", order: "desc" })
          }
        />
      )}
    </Card>
  )
}

function stackOf(days: readonly string[], groups: Groups["groups"]) {
  const sums = new Map<string, number>()
  for (const { source, count } of groups) {
    const name = String(source ?? t("none"))
    sums.set(name, (sums.get(name) ?? 0) + Number(count))
  }
  const names = [...sums].toSorted((a, b) => b[1] - a[1]).map(([name]) => name)
  const hasOther = names.length > SERIES_MOST
  const shown = hasOther ? names.slice(0, SERIES_MOST - 1) : names
  const series = hasOther ? [...shown, t("others")] : shown
  const at = new Map(days.map((day, i) => [day, i]))
  const values = days.map(() => series.map(() => 0))
  for (const { created_at, source, count } of groups) {
    const row = values[at.get(String(created_at)) ?? -1]
    if (!row) continue
    const place = shown.indexOf(String(source ?? t("none")))
    row[place < 0 ? series.length - 1 : place]! += Number(count)
  }
  return { series, days: days.map((day, i) => ({ day, values: values[i]! })) }
}

function Scores({ stats }: { stats: Stats }) {
  const { data } = useLiveLoaded(scoreBins, [])
  const { hot, warm, cold, average } = stats.score
  if (!hasRules.value) {
    return (
      <Card title={t("Scores")}>
        <p class="muted">{t("No rule scores your leads yet.")}</p>
        <a class="button" href={href("scoring")}>
          {t("Add a rule")}
        </a>
      </Card>
    )
  }
  const kinds = [
    ["hot", t("{hot} hot", { hot: formatNumber(hot) }), "and.gte.score.70"],
    ["warm", t("{warm} warm", { warm: formatNumber(warm) }), ["and.gte.score.40", "and.lt.score.70"]],
    ["cold", t("{cold} cold", { cold: formatNumber(cold) }), "and.lt.score.40"],
  ] as const
  return (
    <Card
      title={t("Scores")}
      note={average !== null && t("{average} on average", { average: Math.round(average) })}
    >
      {data && <ScoreChart counts={data} />}
      <ul class="legend">
        {kinds.map(([kind, text, filter]) => (
          <li key={kind}>
            <Swatch color={scoreColor(kind)} />
            <a href={href("leads", { filter })}>{text}</a>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** Who got how far: a lead that is converted was contacted and qualified before. */
function Funnel({ stats: { by_status: by, total_leads: total } }: { stats: Stats }) {
  const converted = by.converted
  const qualified = by.qualified + converted
  const contacted = by.contacted + by.disqualified + qualified
  const step = (label: string, value: number, before: number, filter: string) => ({
    ...{ label, value, note: percent(value, before) },
    href: href("leads", { filter }),
  })
  const steps = [
    { label: t("All leads"), value: total, href: href("leads"), note: "" },
    step(t("Contacted"), contacted, total, "and.neq.status.new"),
    step(t("Qualified"), qualified, contacted, "and.in.status.qualified,converted"),
    step(t("Converted"), converted, qualified, "and.eq.status.converted"),
  ]
  return (
    <Card title={t("Funnel")} note={t("share of the step before")}>
      <BarList label={t("Funnel")} bars={steps} />
    </Card>
  )
}

function Cities() {
  const { data } = useLiveLoaded(
    (signal) => fetchGroups({ group_by: "city", filter: ["and.is_not_empty.city."], limit: CITIES }, signal),
    [],
  )
  const others = data?.other ? Number(data.other.groups) : 0
  return (
    <Card
      title={t("Cities")}
      note={others > 0 && t("and {cities} more", { cities: plural(others, "city", "cities") })}
    >
      {data?.groups.length === 0 && <p class="muted">{t("No lead has a city yet.")}</p>}
      <BarList
        label={t("Cities")}
        bars={(data?.groups ?? []).map(({ city, count }) => ({
          label: String(city),
          value: Number(count),
          href: href("leads", { filter: `and.eq.city.${city}` }),
        }))}
      />
    </Card>
  )
}

function Latest() {
  const { data } = useLiveLoaded(
    async (signal) => (await get<ChangeFeed>("/changes", { limit: 8 }, signal)).changes,
    [],
  )
  if (!data || data.length === 0) return null
  return (
    <Card title={t("Latest activity")} more={<a href={href("activity")}>{t("All activity")}</a>}>
      <ul class="latest">
        {data.map((change) => (
          <li key={change.id}>
            <span class={`action ${change.action}`}>{words(change.action)}</span>
            <a href={href(`leads/${change.lead_id}`)}>
              {change.after?.name ?? change.before?.name ?? t("a lead")}
            </a>
            <span class="muted">{t("by {actorName}", { actorName: actorName(change.actor_id) })}</span>
            <Ago at={change.created_at} class="muted" />
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** Says that rules of retention are about to erase leads. */
function RetentionNote() {
  const { data = [] } = useLoaded((signal) => peek<RetentionRule[]>("/retention-rules", {}, signal), [])
  const matched = data.reduce((sum, rule) => sum + rule.matched, 0)
  if (matched === 0) return null
  return (
    <p class="note-line" role="status">
      {tx("{leads} will be erased by retention rules. {a}", {
        leads: plural(matched, "lead"),
        a: <a href={href("privacy")}>{t("Review")}</a>,
      })}
    </p>
  )
}

/** Fills an empty account with leads to try. */
function AddSample({ onDone }: { onDone: () => void }) {
  const [text, setText] = useState("")
  return (
    <Button
      disabled={text !== ""}
      onClick={async () => {
        setText(t("Adding sample leads…"))
        await attempt(async () => {
          const { addSample } = await import("../core/sample.ts")
          await addSample((done, of) => setText(t("Adding sample leads: {done} of {of}", { done, of })))
          say(t("Sample leads added"))
        })
        setText("")
        onDone()
      }}
    >
      {text || t("Try 500 sample leads")}
    </Button>
  )
}

/** Says that there are sample leads, with the way out. */
function SampleNote({ onDone }: { onDone: () => void }) {
  const [isBusy, setBusy] = useState(false)
  return (
    <p class="note-line">
      {t("These numbers contain sample leads.")}{" "}
      {canWrite.value && (
        <Button
          label={isBusy ? t("Removing…") : t("Remove them")}
          class="link"
          disabled={isBusy}
          onClick={async () => {
            setBusy(true)
            await attempt(async () => {
              const { removeSample } = await import("../core/sample.ts")
              await removeSample()
              say(t("Sample leads removed"))
            })
            setBusy(false)
            onDone()
          }}
        />
      )}
    </p>
  )
}
