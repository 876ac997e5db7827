import { useState } from "preact/hooks"
import { get } from "../core/api.ts"
import { ago, moment, plural } from "../core/format.ts"
import { saveField } from "../core/lead-writes.ts"
import { listedAmong } from "../core/listed.ts"
import { useLiveLoaded } from "../core/live.ts"
import { learnMembers, memberName, ownId } from "../core/members.ts"
import { href } from "../core/router.ts"
import { hasRules } from "../core/rules.ts"
import { canWrite, session } from "../core/session.ts"
import { t } from "../core/text.ts"
import { attempt, sayUndo } from "../core/toast.ts"
import type { Lead, LeadPage } from "../core/types.ts"
import { BecomeMember } from "../parts/become-member.tsx"
import { Button, Empty, FailureNote, Head, Score } from "../parts/bits.tsx"
import { ContactLinks } from "../parts/cell.tsx"
import { Select } from "../parts/fields.tsx"

const SHOWN = 25
const DAY = 86_400
const FIELDS = "name,company,phone,email,status,score,owner,next_step,next_step_at,created_at"

interface Part {
  title: string
  empty: string
  filter: readonly string[]
  sort: string
  order: "ASC" | "DESC"
}

/** The parts of the page, for a moment in Unix seconds. */
function partsAt(now: number): Part[] {
  const midnight = Math.floor(new Date(now * 1000).setHours(24, 0, 0, 0) / 1000)
  const due = { sort: "next_step_at", order: "ASC" } as const
  const parts: Part[] = [
    { title: t("Overdue"), empty: "", filter: [`and.lt.next_step_at.${now}`], ...due },
    {
      ...{ title: t("Due today"), empty: t("Nothing is due today."), ...due },
      filter: [`and.gte.next_step_at.${now}`, `and.lt.next_step_at.${midnight}`],
    },
    {
      ...{
        title: t("New this week"),
        empty: t("No new leads this week."),
        sort: "created_at",
        order: "DESC",
      },
      filter: ["and.eq.status.new", `and.gte.created_at.${now - 7 * DAY}`, "and.is_empty.next_step_at"],
    },
  ]
  const hot: Part = {
    ...{ title: t("Hot"), empty: "", sort: "score", order: "DESC" },
    filter: ["and.gte.score.70", "and.in.status.new,contacted,qualified", "and.is_empty.next_step_at"],
  }
  return hasRules.value ? [...parts, hot] : parts
}

/** Shows a sales person's day: leads that are due, new, hot. */
export default function Day() {
  const me = ownId()
  // Who is signed in may be known later than the page is there.
  const [chosen, setMine] = useState(true)
  const isMine = chosen && me !== undefined
  const isKnown = session.value !== undefined
  const { data, error, again } = useLiveLoaded(
    async (signal) => {
      void learnMembers()
      if (!isKnown) return undefined
      const now = Math.floor(Date.now() / 1000)
      const owner = isMine && me !== undefined ? [`and.in.owner.${me}`] : []
      return Promise.all(
        partsAt(now).map(async (part) => {
          const filter = [...part.filter, ...owner]
          const query = { filter, sort_by: part.sort, sort_order: part.order, limit: SHOWN, fields: FIELDS }
          const { leads } = await get<LeadPage>("/leads", query, signal)
          return { ...part, filter, leads, listed: await listedAmong(leads, signal) }
        }),
      )
    },
    [isMine, isKnown],
  )
  const isNothing = data?.every(({ leads }) => leads.length === 0)
  return (
    <div class="page narrow">
      <Head title={t("My day")} note={data && noteOf(data[0]?.leads.length ?? 0, data[1]?.leads.length ?? 0)}>
        {me !== undefined && (
          <Select
            class="auto"
            aria-label={t("Whose leads")}
            value={isMine ? "mine" : "all"}
            options={{ mine: t("My leads"), all: t("All leads") }}
            onChange={(value) => setMine(value === "mine")}
          />
        )}
      </Head>
      {isKnown && <BecomeMember />}
      {error !== undefined && <FailureNote error={error} again={again} />}
      {isNothing && (
        <Empty
          icon="check"
          title={t("Nothing to do")}
          text={t("Open a lead and set its next step: it appears here when it is due.")}
        />
      )}
      {!isNothing &&
        data?.map(
          ({ title, empty, leads, listed, filter, sort, order }) =>
            (leads.length > 0 || empty !== "") && (
              <section class="card tile" key={title}>
                <header class="card-head">
                  <h2>{title}</h2>
                  {leads.length > 0 && (
                    <a href={href("leads", { filter, sort, order: order.toLowerCase() })}>
                      {t("Show in the table")}
                    </a>
                  )}
                </header>
                {leads.length === 0 && <p class="muted">{empty}</p>}
                <ul class="day">
                  {leads.map((lead) => (
                    <Task key={lead.id} lead={lead} isListed={listed.has(lead.id)} onDone={again} />
                  ))}
                </ul>
              </section>
            ),
        )}
    </div>
  )
}

function noteOf(overdue: number, today: number): string {
  return [
    overdue > 0 && t("{overdue} overdue", { overdue }),
    today > 0 && t("{leads} due today", { leads: plural(today, "lead") }),
  ]
    .filter(Boolean)
    .join(", ")
}

function Task({ lead, isListed, onDone }: { lead: Lead; isListed: boolean; onDone: () => void }) {
  const { id, name, company, next_step: step, next_step_at: at, owner } = lead
  const change = (value: number | null, text: string) =>
    attempt(async () => {
      await saveField(id, "next_step_at", value)
      sayUndo(text, () => saveField(id, "next_step_at", at), onDone)
      onDone()
    })
  return (
    <li>
      <div class="day-what">
        <a href={href(`leads/${id}`)}>{name}</a> {company && <span class="muted">{company}</span>}{" "}
        <Score value={lead.score} />
        <p class="muted">
          {[step, at !== null && ago(at), owner && memberName(owner)].filter(Boolean).join(" · ")}
        </p>
      </div>
      <div class="row">
        {isListed && <span class="tag danger">{t("Do not contact")}</span>}
        {!isListed && <ContactLinks lead={lead} />}
        {canWrite.value && at !== null && (
          <>
            <Button
              label={t("Tomorrow")}
              class="small"
              title={moment(at)}
              onClick={() => change(tomorrow(), t("Put off"))}
            />
            <Button
              label={t("Done")}
              class="small"
              onClick={() => change(null, t("Done: {step}", { step: step ?? name }))}
            />
          </>
        )}
      </div>
    </li>
  )
}

/** Nine o'clock of the next day, in Unix seconds. */
function tomorrow(): number {
  const at = new Date()
  at.setDate(at.getDate() + 1)
  return Math.floor(at.setHours(9, 0, 0, 0) / 1000)
}

import "../parts/table.ts"
