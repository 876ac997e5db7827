import { useEffect, useState } from "preact/hooks"
import { get } from "../core/api.ts"
import { formatNumber, words } from "../core/format.ts"
import { useRefresh } from "../core/live.ts"
import { usePolling } from "../core/loading.ts"
import { usePaged } from "../core/paged.ts"
import { href, query } from "../core/router.ts"
import { canWrite } from "../core/session.ts"
import { t } from "../core/text.ts"
import type { ImportRecord } from "../core/types.ts"
import { CheckList } from "../import/check-list.tsx"
import { LOOK_AGAIN_MS, Record, Running } from "../import/record.tsx"
import { Review } from "../import/review.tsx"
import { actorName } from "../parts/actors.ts"
import { Ago, Button, Card, Empty, Head } from "../parts/bits.tsx"
import { Icon } from "../parts/icons.tsx"
import { openDialog } from "../parts/overlay.tsx"

/** Previews a file, corrects its mapping and imports it; earlier imports are listed below and can be undone. */
export default function Import() {
  const [file, setFile] = useState<File>()
  const id = query.value.get("import") ?? ""
  // Back from an import that was begun there is the way to another file.
  useEffect(() => {
    if (id !== "") setFile(undefined)
  }, [id])
  if (id !== "") {
    return (
      <div class="page">
        <Head title={t("Import")} />
        <Record key={id} id={id} />
      </div>
    )
  }
  return (
    <div class="page">
      <Head title={t("Import")} note={file?.name}>
        <Button icon="search" label={t("Do we have these?")} onClick={() => openDialog(<CheckList />)} />
        {file && <Button label={t("Another file")} onClick={() => setFile(undefined)} />}
      </Head>
      {!canWrite.value && (
        <Empty
          icon="import"
          title={t("Only editors and owners import")}
          text={t("Ask an owner of the account for another role.")}
        />
      )}
      {canWrite.value && !file && <Drop onFile={setFile} />}
      {file && <Review key={`${file.name}${file.lastModified}`} file={file} />}
      {!file && <Past />}
    </div>
  )
}

function Drop({ onFile }: { onFile: (file: File) => void }) {
  const [isOver, setOver] = useState(false)
  const take = (file: File | null | undefined) => file && onFile(file)
  return (
    <div
      class={`drop ${isOver ? "over" : ""}`}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        take(event.dataTransfer?.files[0])
      }}
    >
      <span class="empty-icon">
        <Icon name="import" size={22} />
      </span>
      <h2>{t("Drop a file of leads here")}</h2>
      <p class="muted">
        {t(
          "CSV, Excel (.xlsx), JSON, NDJSON or vCard (.vcf), up to 2 GB. You look at it before anything is kept.",
        )}
      </p>
      <label class="button primary file-button">
        {t("Choose a file")}
        <input class="unseen" type="file" onChange={(event) => take(event.currentTarget.files?.[0])} />
      </label>
    </div>
  )
}

const PAGE = 20

/** Imports so far, newest first; those that go on say how far they are. */
function Past() {
  const list = usePaged<ImportRecord>(async (after, signal) => {
    const { imports } = await get<{ imports: ImportRecord[] }>("/imports", { limit: PAGE, after }, signal)
    return { items: imports, next: imports.length === PAGE ? imports.at(-1)!.id : null }
  }, [])
  const { data: items, error, again, hasMore, more } = list
  // Not while older ones are shown, which a first page would take away.
  useRefresh(list, () => items === undefined || items.length <= PAGE)
  const isRunning = items?.some(({ state }) => state === "running") ?? false
  usePolling(isRunning, LOOK_AGAIN_MS, again, [items])
  if (error || !items || items.length === 0) return null
  return (
    <Card title={t("Imports so far")}>
      <ul class="latest imports">
        {items.map((one) => (
          <li key={one.id}>
            <span class={`outcome ${OUTCOMES[one.state]}`}>{words(one.state)}</span>
            <a href={href("import", { import: one.id })}>{one.name}</a>
            <span class="muted">
              {t("{created} created, {merged} merged, {rejected} rejected, by {actorName}", {
                created: formatNumber(one.created),
                merged: formatNumber(one.merged),
                rejected: formatNumber(one.rejected),
                actorName: actorName(one.actor_id),
              })}
            </span>
            <Ago at={one.created_at} class="muted" />
            {one.state === "running" && (
              <div class="import-running">
                <Running record={one} />
              </div>
            )}
          </li>
        ))}
      </ul>
      {hasMore && <Button label={t("Older")} onClick={more} />}
    </Card>
  )
}

const OUTCOMES = {
  running: "pending",
  done: "succeeded",
  failed: "failed",
  interrupted: "failed",
  undone: "",
}

import "../parts/table.ts"
