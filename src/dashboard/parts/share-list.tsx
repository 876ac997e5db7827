import { useState } from "preact/hooks"
import { post, remove } from "../core/api.ts"
import { FILTER_FIELDS, fieldOf } from "../core/filters.ts"
import { day, plural } from "../core/format.ts"
import { useFresh } from "../core/loading.ts"
import { t } from "../core/text.ts"
import { say } from "../core/toast.ts"
import type { MadeLink, SavedSegment, SharedLink } from "../core/types.ts"
import { Button } from "./bits.tsx"
import { Check, Form, Input } from "./fields.tsx"
import { Dialog } from "./overlay.tsx"
import { CopyLine, Row } from "./things.tsx"

const OFFERED = FILTER_FIELDS.filter(({ name }) => name !== "score")
const CHOSEN_FIRST = new Set(["name", "company", "city", "website"])

/** Makes and revokes public links to a saved view. */
export function ShareList({ segment }: { segment: SavedSegment }) {
  const links = useFresh<SharedLink[]>("/links")
  const [made, setMade] = useState<MadeLink>()
  const ofSegment = (links.data ?? []).filter((link) => link.segment === segment.id)
  async function revoke({ id }: SharedLink) {
    await remove(`/links/${id}`)
    say(t("Link revoked"))
    if (made?.id === id) setMade(undefined)
  }
  return (
    <Dialog title={t("Share {name}", { name: segment.name })}>
      {made ? <Made link={made} /> : <NewLink segment={segment.id} onMade={setMade} />}
      {ofSegment.length > 0 && (
        <section>
          <h3>{t("Links to this list")}</h3>
          <ul class="card rows">
            {ofSegment.map((link) => (
              <LinkRow key={link.id} link={link} onRevoke={() => revoke(link)} />
            ))}
          </ul>
        </section>
      )}
    </Dialog>
  )
}

function NewLink({ segment, onMade }: { segment: string; onMade: (link: MadeLink) => void }) {
  return (
    <Form
      staysOpen
      action={t("Create link")}
      onSend={async (sent) => {
        const until = sent.text("expires")
        const body = {
          segment,
          fields: sent.getAll("fields"),
          expires_at: until === "" ? null : Math.floor(Date.parse(until) / 1000),
          password: sent.get("password") || null,
        }
        onMade(await post<MadeLink>("/links", body))
      }}
    >
      <p>
        {t(
          "Everybody who has the link sees these fields of the list, and nothing else. Nobody can change them.",
        )}
      </p>
      <fieldset class="choices">
        <legend>{t("Fields")}</legend>
        {OFFERED.map(({ name, label }) => (
          <Check
            key={name}
            label={label}
            name="fields"
            value={name}
            defaultChecked={CHOSEN_FIRST.has(name)}
          />
        ))}
      </fieldset>
      <Input label={t("Ends on")} hint={t("Never, when left empty.")} name="expires" type="date" />
      <Input
        label={t("Password")}
        hint={t("Optional, 10 characters and more. With one, spreadsheets cannot read the list.")}
        name="password"
        type="password"
        autocomplete="new-password"
        minLength={10}
        maxLength={200}
      />
    </Form>
  )
}

function Made({ link }: { link: MadeLink }) {
  return (
    <div class="stack">
      <p>{t("It is shown only now: copy it.")}</p>
      <Address label={t("Page")} text={link.url} />
      {!link.has_password && (
        <>
          <Address label={t("CSV")} text={link.csv_url} />
          <Address label={t("Google Sheets")} text={`=IMPORTDATA("${link.csv_url}")`} />
        </>
      )}
    </div>
  )
}

function Address({ label, text }: { label: string; text: string }) {
  return (
    <div>
      <span class="field-label">{label}</span>
      <CopyLine text={text} what={label} name={t("Copy {label}", { label })} />
    </div>
  )
}

function LinkRow({ link, onRevoke }: { link: SharedLink; onRevoke: () => Promise<void> }) {
  const { fields, created_at, expires_at, has_password } = link
  const isOver = expires_at !== null && expires_at * 1000 <= Date.now()
  return (
    <Row
      name={plural(fields.length, "field")}
      tags={
        <>
          {has_password && <span class="tag">{t("Password")}</span>}
          {isOver && <span class="tag">{t("Ended")}</span>}
        </>
      }
      note={t("{names}; created {created_at}{more}", {
        names: fields.map((name) => fieldOf(name).label).join(", "),
        created_at: day(created_at),
        more:
          expires_at !== null &&
          (isOver
            ? t(", ended {expires_at}", { expires_at: day(expires_at) })
            : t(", ends {expires_at}", { expires_at: day(expires_at) })),
      })}
    >
      <Button label={t("Revoke")} class="small danger" work={onRevoke} />
    </Row>
  )
}
