import { useState } from "preact/hooks"
import { address, ask, get, post, remove, written } from "../core/api.ts"
import { formatNumber, plural } from "../core/format.ts"
import { countHits, hitBy } from "../core/listed.ts"
import { useLoaded } from "../core/loading.ts"
import { usePaged } from "../core/paged.ts"
import { href } from "../core/router.ts"
import { canWrite, isOwner } from "../core/session.ts"
import { t } from "../core/text.ts"
import { attempt, say } from "../core/toast.ts"
import type { Suppressed, Suppression, SuppressionImport, SuppressionPage } from "../core/types.ts"
import { Ago, Button } from "../parts/bits.tsx"
import { Form, FormDialog, Input, Select, type Sent, TextArea } from "../parts/fields.tsx"
import { Icon } from "../parts/icons.tsx"
import { openDialog } from "../parts/overlay.tsx"
import { AskingButton, Row, Things } from "../parts/things.tsx"

const KINDS: Readonly<Record<string, string>> = {
  "": t("All"),
  email: t("Emails"),
  domain: t("Domains"),
  phone: t("Phones"),
  hash: t("Erased people"),
}

const KIND_NAMES = { email: t("Email"), domain: t("Domain"), phone: t("Phone") }

/** The list of emails, domains and phones that must not be contacted. */
export default function DoNotContact() {
  const [kind, setKind] = useState("")
  const [sought, setSought] = useState("")
  const [total, setTotal] = useState<number>()
  const list = usePaged(
    async (cursor, signal) => {
      const query = sought ? { value: sought } : { kind, cursor, limit: 100 }
      const page = await get<SuppressionPage>("/suppressions", query, signal)
      setTotal(page.total)
      return { items: page.suppressions, next: page.next_cursor }
    },
    [kind, sought, written.value],
  )
  return (
    <Things
      title={t("Do not contact")}
      loaded={list}
      count={() => (total === undefined ? "" : plural(total, "entry", "entries"))}
      actions={
        <>
          <a class="button" href={address("/suppressions", { format: "csv" })} download>
            <Icon name="export" size={14} />
            {t("Export")}
          </a>
          {canWrite.value && <ImportButton />}
        </>
      }
      add={canWrite.value && t("Add")}
      onAdd={() => openDialog(<AddDialog />)}
      intro={t(
        "Leads with these emails, domains or phones are refused, by whatever way they come. Leads that are stored already stay, and are left out where you choose leads that may be contacted.",
      )}
      above={<Search kind={kind} onKind={setKind} onSought={setSought} />}
      empty={[
        "check",
        sought ? t("{sought} is not on the list", { sought }) : t("Nothing on the list"),
        t("Add an email, a domain or a phone, or import a CSV. Unsubscribe links add emails by themselves."),
      ]}
      row={(entry) => <Entry key={entry.id} entry={entry} />}
    >
      {list.hasMore && <Button label={t("Show more")} disabled={list.isLoading} onClick={list.more} />}
    </Things>
  )
}

interface SearchProps {
  kind: string
  onKind: (kind: string) => void
  onSought: (text: string) => void
}

function Search({ kind, onKind, onSought }: SearchProps) {
  return (
    <Form class="row" onSend={(sent) => onSought(sent.text("value"))}>
      <input
        name="value"
        type="search"
        aria-label={t("Is it on the list?")}
        placeholder={t("Email, domain or phone")}
        onInput={(event) => event.currentTarget.value === "" && onSought("")}
      />
      <button>{t("Look up")}</button>
      <Select aria-label={t("Kind")} value={kind} options={KINDS} onChange={onKind} />
    </Form>
  )
}

function Entry({ entry }: { entry: Suppression }) {
  const { kind, value, reason, created_at } = entry
  const isErased = kind === "hash"
  const name = isErased ? `${value.slice(0, 12)}…` : value
  const filter = hitBy(entry)
  const { data: count } = useLoaded(
    (signal) => (filter ? countHits(filter, signal) : Promise.resolve(undefined)),
    [entry.id],
  )
  const hits = filter && count !== undefined && (
    <>
      {", "}
      {count > 0 ? <a href={href("leads", { filter })}>{plural(count, "lead")}</a> : t("no leads")}
    </>
  )
  return (
    <Row
      name={name}
      tags={<span class="tag">{isErased ? t("erased person") : KIND_NAMES[kind]}</span>}
      note={
        <>
          {reason && `${reason}, `}
          <Ago at={created_at} />
          {hits}
        </>
      }
    >
      {canWrite.value && (!isErased || isOwner.value) && (
        <AskingButton
          label={t("Remove")}
          aria-label={t("Remove {name}", { name })}
          title={t("Remove {name}?", { name })}
          text={t("Such leads can come in again, and may be contacted.")}
          work={async () => {
            await remove(`/suppressions/${entry.id}`)
            say(t("{shownValue} removed from the list", { shownValue: name }))
          }}
        />
      )}
    </Row>
  )
}

function AddDialog() {
  async function add(sent: Sent) {
    const reason = sent.text("reason")
    const suppressions = sent
      .text("values")
      .split("\n")
      .map((value) => value.trim())
      .filter((value) => value !== "")
      .map((value) => ({ value, ...(reason && { reason }) }))
    const { added } = await post<Suppressed>("/suppressions", { suppressions })
    say(
      added === 0
        ? t("On the list already")
        : t("{entries} added", { entries: plural(added, "entry", "entries") }),
    )
  }
  return (
    <FormDialog title={t("Add to the list")} size="small" action={t("Add to the list")} onSend={add}>
      <TextArea
        label={t("Emails, domains or phones")}
        hint={t("One on each line.")}
        name="values"
        rows={4}
        required
      />
      <Input label={t("Reason")} hint={t("Why, for your team.")} name="reason" maxLength={1000} />
    </FormDialog>
  )
}

function ImportButton() {
  async function send(input: HTMLInputElement, data: File) {
    const { added, existing, rejected } = await ask<SuppressionImport>("POST", "/suppressions/import", {
      file: { data, type: "text/csv" },
    })
    const parts = [
      t("{added} added", { added: formatNumber(added) }),
      existing > 0 && t("{existing} on the list already", { existing: formatNumber(existing) }),
      rejected > 0 && t("{rejected} not understood", { rejected: formatNumber(rejected) }),
    ]
    say(parts.filter(Boolean).join(", "))
    input.value = ""
  }
  return (
    <label class="button">
      <Icon name="import" size={14} />
      {t("Import")}
      <input
        type="file"
        class="unseen"
        accept=".csv,.txt,text/csv"
        onChange={({ currentTarget: input }) => {
          const [file] = input.files ?? []
          if (file) void attempt(() => send(input, file))
        }}
      />
    </label>
  )
}
