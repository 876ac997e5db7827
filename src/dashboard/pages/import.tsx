import { useEffect, useState } from "preact/hooks"
import { query } from "../core/router.ts"
import { canWrite } from "../core/session.ts"
import { t } from "../core/text.ts"
import { CheckList } from "../import/check-list.tsx"
import { Past } from "../import/past.tsx"
import { Record } from "../import/record.tsx"
import { Review } from "../import/review.tsx"
import { Empty, Head } from "../parts/bits.tsx"
import { Button } from "../parts/button.tsx"
import { Icon } from "../parts/icons.tsx"
import { useDialog } from "../parts/overlay.tsx"

/** Previews a file, corrects its mapping and imports it; earlier imports are listed below and can be undone. */
export default function Import() {
  const [file, setFile] = useState<File>()
  const [dialog, open] = useDialog()
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
        <Button icon="search" label={t("Do we have these?")} onClick={() => open(<CheckList />)} />
        {file && <Button label={t("Another file")} onClick={() => setFile(undefined)} />}
      </Head>
      {!canWrite.value && (
        <Empty icon="import" title={t("Only editors and owners import")}>
          <p>{t("Ask an owner of the account for another role.")}</p>
        </Empty>
      )}
      {canWrite.value && !file && <Drop onFile={setFile} />}
      {file && <Review key={`${file.name}${file.lastModified}`} file={file} />}
      {!file && <Past />}
      {dialog}
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

import "../parts/table.ts"
