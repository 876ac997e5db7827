import { useState } from "preact/hooks"
import { address, ask, get, post, remove } from "../core/api.ts"
import { ago, formatNumber, moment, plural } from "../core/format.ts"
import { countHits, hitBy } from "../core/listed.ts"
import { useLoaded } from "../core/loading.ts"
import { usePaged } from "../core/paged.ts"
import { href } from "../core/router.ts"
import { canWrite, isOwner } from "../core/session.ts"
import { t } from "../core/text.ts"
import { attempt, say } from "../core/toast.ts"
import type { Suppression, SuppressionImport, SuppressionPage } from "../core/types.ts"
import { Empty, FailureNote, Head } from "../parts/bits.tsx"
import { Button } from "../parts/button.tsx"
import { Input, Select, TextArea } from "../parts/fields.tsx"
import { Icon } from "../parts/icons.tsx"
import { ConfirmDialog, Dialog } from "../parts/overlay.tsx"

const KINDS = [
  ["", t("All")],
  ["email", t("Emails")],
  ["domain", t("Domains")],
  ["phone", t("Phones")],
  ["hash", t("Erased people")],
] as const

const KIND_NAMES = { email: t("Email"), domain: t("Domain"), phone: t("Phone") }

/** The list of emails, domains and phones that must not be contacted. */
export default function DoNotContact() {
  const [kind, setKind] = useState("")
  const [sought, setSought] = useState("")
  const [total, setTotal] = useState<number>()
  const [isAdding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<Suppression>()
  const list = usePaged(
    async (cursor, signal) => {
      const query = sought ? { value: sought } : { kind, cursor, limit: 100 }
      const page = await get<SuppressionPage>("/suppressions", query, signal)
      setTotal(page.total)
      return { items: page.suppressions, next: page.next_cursor }
    },
    [kind, sought],
  )
  const entries = list.items ?? []
  return (
    <div class="page narrow">
      <Head title={t("Do not contact")} note={total === undefined ? "" : plural(total, "entry", "entries")}>
        <a class="button" href={address("/suppressions", { format: "csv" })} download>
          <Icon name="export" size={14} />
          {t("Export")}
        </a>
        {canWrite.value && <ImportButton onDone={list.again} />}
        {canWrite.value && (
          <Button icon="plus" label={t("Add")} class="primary" onClick={() => setAdding(true)} />
        )}
      </Head>
      <p class="lead-in">
        {t(
          "Leads with these emails, domains or phones are refused, by whatever way they come. Leads that are stored already stay, and are left out where you choose leads that may be contacted.",
        )}
      </p>
      <Search kind={kind} onKind={setKind} onSought={setSought} />
      {list.error !== undefined && <FailureNote error={list.error} again={list.again} />}
      {list.items && entries.length === 0 && (
        <Empty
          icon="check"
          title={sought ? t("{sought} is not on the list", { sought }) : t("Nothing on the list")}
        >
          <p>
            {t(
              "Add an email, a domain or a phone, or import a CSV. Unsubscribe links add emails by themselves.",
            )}
          </p>
        </Empty>
      )}
      {entries.length > 0 && (
        <ul class="card rows">
          {entries.map((entry) => (
            <Row key={entry.id} entry={entry} onRemove={() => setRemoving(entry)} />
          ))}
        </ul>
      )}
      {list.hasMore && (
        <Button label={t("Show more")} disabled={list.isLoading} onClick={() => void list.more()} />
      )}
      {isAdding && (
        <AddDialog
          onClose={() => setAdding(false)}
          onAdded={() => {
            setAdding(false)
            list.again()
          }}
        />
      )}
      {removing && (
        <RemoveDialog entry={removing} onClose={() => setRemoving(undefined)} onRemoved={list.again} />
      )}
    </div>
  )
}

interface SearchProps {
  kind: string
  onKind: (kind: string) => void
  onSought: (text: string) => void
}

function Search({ kind, onKind, onSought }: SearchProps) {
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault()
        onSought(String(new FormData(event.currentTarget).get("value")).trim())
      }}
    >
      <input
        name="value"
        type="search"
        aria-label={t("Is it on the list?")}
        placeholder={t("Email, domain or phone")}
        onInput={(event) => event.currentTarget.value === "" && onSought("")}
      />
      <button>{t("Look up")}</button>
      <Select aria-label={t("Kind")} value={kind} options={KINDS} onChange={onKind} />
    </form>
  )
}

const shownValue = ({ kind, value }: Suppression) => (kind === "hash" ? `${value.slice(0, 12)}…` : value)

function Row({ entry, onRemove }: { entry: Suppression; onRemove: () => void }) {
  const { kind, reason, created_at } = entry
  const isErased = kind === "hash"
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
    <li>
      <div class="row-main">
        <p>
          <b>{shownValue(entry)}</b>{" "}
          <span class="tag">{isErased ? t("erased person") : KIND_NAMES[kind]}</span>
        </p>
        <p class="muted">
          {reason && `${reason}, `}
          <time title={moment(created_at)}>{ago(created_at)}</time>
          {hits}
        </p>
      </div>
      {canWrite.value && (!isErased || isOwner.value) && (
        <Button
          label={t("Remove")}
          class="small danger"
          aria-label={t("Remove {shownValue}", { shownValue: shownValue(entry) })}
          onClick={onRemove}
        />
      )}
    </li>
  )
}

interface RemoveProps {
  entry: Suppression
  onClose: () => void
  onRemoved: () => void
}

function RemoveDialog({ entry, onClose, onRemoved }: RemoveProps) {
  return (
    <ConfirmDialog
      title={t("Remove {shownValue}?", { shownValue: shownValue(entry) })}
      action={t("Remove")}
      onConfirm={() =>
        attempt(async () => {
          await remove(`/suppressions/${entry.id}`)
          say(t("{shownValue} removed from the list", { shownValue: shownValue(entry) }))
          onClose()
          onRemoved()
        })
      }
      onClose={onClose}
    >
      <p>{t("Such leads can come in again, and may be contacted.")}</p>
    </ConfirmDialog>
  )
}

function AddDialog({ onClose, onAdded }: { onClose: () => void; onAdded: () => void }) {
  return (
    <Dialog title={t("Add to the list")} size="small" onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          const form = new FormData(event.currentTarget)
          const reason = String(form.get("reason")).trim()
          const values = String(form.get("values")).split("\n")
          const suppressions = values
            .map((value) => value.trim())
            .filter((value) => value !== "")
            .map((value) => ({ value, ...(reason && { reason }) }))
          void attempt(async () => {
            const { added } = await post<{ added: number }>("/suppressions", { suppressions })
            say(
              added === 0
                ? t("On the list already")
                : t("{entries} added", { entries: plural(added, "entry", "entries") }),
            )
            onAdded()
          })
        }}
      >
        <TextArea
          label={t("Emails, domains or phones")}
          hint={t("One on each line.")}
          name="values"
          rows={4}
          required
        />
        <Input label={t("Reason")} hint={t("Why, for your team.")} name="reason" maxLength={1000} />
        <button class="primary">{t("Add to the list")}</button>
      </form>
    </Dialog>
  )
}

function ImportButton({ onDone }: { onDone: () => void }) {
  return (
    <label class="button">
      <Icon name="import" size={14} />
      {t("Import")}
      <input
        type="file"
        class="unseen"
        accept=".csv,.txt,text/csv"
        onChange={(event) => {
          const input = event.currentTarget
          const data = input.files?.[0]
          if (!data) return
          void attempt(async () => {
            const file = { data, type: "text/csv" }
            const { added, existing, rejected } = await ask<SuppressionImport>(
              "POST",
              "/suppressions/import",
              {
                file,
              },
            )
            const parts = [
              t("{added} added", { added: formatNumber(added) }),
              existing > 0 && t("{existing} on the list already", { existing: formatNumber(existing) }),
              rejected > 0 && t("{rejected} not understood", { rejected: formatNumber(rejected) }),
            ]
            say(parts.filter(Boolean).join(", "))
            input.value = ""
            onDone()
          })
        }}
      />
    </label>
  )
}
