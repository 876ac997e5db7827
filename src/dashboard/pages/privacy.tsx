import { useState } from "preact/hooks"
import { post, remove } from "../core/api.ts"
import { phraseOf } from "../core/filters.ts"
import { day, moment, plural } from "../core/format.ts"
import { useFresh } from "../core/loading.ts"
import { href } from "../core/router.ts"
import { isOwner } from "../core/session.ts"
import { t, tx } from "../core/text.ts"
import { say } from "../core/toast.ts"
import type { ErasurePage, RetentionRule } from "../core/types.ts"
import { authorName } from "../parts/actors.ts"
import { Form, Input, Select } from "../parts/fields.tsx"
import { FilterBar } from "../parts/filter-bar.tsx"
import { Dialog, openDialog } from "../parts/overlay.tsx"
import { AskingButton, Row, Table, Things } from "../parts/things.tsx"

/** Rules of retention, what they are about to erase, and the record of what was erased. */
export default function Privacy() {
  const rules = useFresh<RetentionRule[]>("/retention-rules")
  return (
    <Things
      title={t("Privacy")}
      loaded={rules}
      count={({ length }) => plural(length, "retention rule")}
      add={isOwner.value && t("New rule")}
      onAdd={() => openDialog(<NewRule />)}
      intro={t(
        "A retention rule erases leads that were not touched for a time: no push, change, note or contact. They are listed here first, and stay when they are touched.",
      )}
      empty={[
        "trash",
        t("Leads are kept until somebody deletes them"),
        t("Make a rule for leads that you may not keep without a reason, such as those of a scraper."),
      ]}
      row={(rule) => <RuleRow key={rule.id} rule={rule} />}
    >
      <Erasures />
    </Things>
  )
}

const timeOf = ({ months, days }: RetentionRule) =>
  months === null ? plural(days ?? 0, "day") : plural(months, "month")

/** When leads must have been touched last, roughly as the service works it out: for the list that shows them. */
function untouchedSince({ months, days }: RetentionRule): number {
  const at = new Date()
  if (months !== null) at.setMonth(at.getMonth() - months)
  else at.setDate(at.getDate() - (days ?? 0))
  return Math.floor(at.getTime() / 1000)
}

function RuleRow({ rule }: { rule: RetentionRule }) {
  const { id, name, filter, matched, erases_from, notice_days } = rule
  const isOpen = erases_from * 1000 > Date.now()
  const untouched = `and.lt.last_touched_at.${untouchedSince(rule)}`
  return (
    <Row
      name={name}
      tags={<span class="tag">{timeOf(rule)}</span>}
      note={t("{said}, not touched for {timeOf}: erased after {days} of notice", {
        said: filter.map(phraseOf).join(" · ") || t("All leads"),
        timeOf: timeOf(rule),
        days: plural(notice_days, "day"),
      })}
      more={
        matched > 0 && (
          <p role="status">
            {tx("{a} will be erased{more}", {
              a: <a href={href("leads", { filter: [...filter, untouched] })}>{plural(matched, "lead")}</a>,
              more: isOpen
                ? t(" from {erases_from}", { erases_from: day(erases_from) })
                : t(", each when its notice is over"),
            })}
          </p>
        )
      }
    >
      {isOwner.value && (
        <AskingButton
          label={t("Delete")}
          aria-label={t("Delete {name}", { name })}
          title={t("Delete the rule {name}?", { name })}
          text={t("It erases nothing more. Leads that it has erased do not come back.")}
          work={async () => {
            await remove(`/retention-rules/${id}`)
            say(t("{name} deleted", { name }))
          }}
        />
      )}
    </Row>
  )
}

function NewRule() {
  const [filter, setFilter] = useState<string[]>([])
  return (
    <Dialog title={t("New retention rule")}>
      <div class="field">
        <span class="field-label">{t("Leads")}</span>
        <FilterBar filters={filter} onChange={setFilter} />
        {filter.length === 0 && <span class="field-hint">{t("All leads, unless you add a filter.")}</span>}
      </div>
      <Form
        action={t("Save rule")}
        onSend={async (sent) => {
          const { matched } = await post<RetentionRule>("/retention-rules", {
            name: sent.get("name"),
            filter,
            [sent.text("unit")]: Number(sent.get("time")),
            notice_days: Number(sent.get("notice")),
          })
          say(t("Rule saved: it is about {leads} now", { leads: plural(matched, "lead") }))
        }}
      >
        <Input label={t("Name")} name="name" required maxLength={200} />
        <Input
          label={t("Not touched for")}
          name="time"
          type="number"
          required
          min={1}
          max={7300}
          defaultValue={12}
        />
        <Select label={t("Unit")} name="unit" options={{ months: t("months"), days: t("days") }} />
        <Input
          label={t("Days of notice")}
          hint={t("Leads are listed here for so many days before they are erased.")}
          name="notice"
          type="number"
          required
          min={0}
          max={365}
          defaultValue={14}
        />
      </Form>
    </Dialog>
  )
}

function Erasures() {
  const { data } = useFresh<ErasurePage>("/erasures")
  if (!data || data.count === 0) return null
  return (
    <section class="card tile">
      <h2>{t("Erased")}</h2>
      <p class="muted">{t("That leads were erased, without anything about them.")}</p>
      <Table head={[t("When"), t("Leads"), t("Why"), t("By")]}>
        {data.erasures.map(({ id, created_at, count, reason, rule_name, actor_id }) => (
          <tr key={id}>
            <td>{moment(created_at)}</td>
            <td>{count}</td>
            <td>{reason === "retention" ? t("Rule {rule_name}", { rule_name }) : t("On request")}</td>
            <td>{reason === "retention" ? t("the service") : authorName(actor_id ?? "")}</td>
          </tr>
        ))}
      </Table>
    </section>
  )
}

import "../parts/table.ts"
