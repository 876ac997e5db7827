import { post, put, remove } from "../core/api.ts"
import { plural } from "../core/format.ts"
import { useFresh, useGet } from "../core/loading.ts"
import { setQuery } from "../core/router.ts"
import { canWrite } from "../core/session.ts"
import { t } from "../core/text.ts"
import { attempt, copy, say } from "../core/toast.ts"
import type { FormSpamPage, LeadForm } from "../core/types.ts"
import { Ago, Button, FailureNote } from "../parts/bits.tsx"
import { FormDialog, Input, Select, type Sent, TextArea } from "../parts/fields.tsx"
import { openDialog } from "../parts/overlay.tsx"
import { AddressedChooser, AskingButton, Things } from "../parts/things.tsx"

const REASONS: Readonly<Record<string, string>> = {
  honeypot: t("filled in the hidden field"),
  time_trap: t("sent too fast, or not from the page"),
  captcha: t("wrong captcha"),
  captcha_unavailable: t("captcha could not be checked"),
  leads_limit_reached: t("no spam: the plan has no room"),
}

const choose = (form: string | undefined) => setQuery({ form }, "replace")

/** Public addresses that leads come in by, and what was kept apart. */
export default function Forms() {
  const forms = useFresh<LeadForm[]>("/forms")
  return (
    <Things
      title={t("Forms")}
      loaded={forms}
      count={({ length }) => plural(length, "form")}
      add={canWrite.value && t("New form")}
      onAdd={() => openDialog(<EditDialog />)}
      empty={[
        "forms",
        t("No forms yet"),
        t(
          "A form has a page of its own and a snippet for your website. What people send becomes a lead, and spam is kept apart.",
        ),
      ]}
    >
      <AddressedChooser
        parameter="form"
        label={t("All forms")}
        things={forms.data ?? []}
        title={({ name }) => name}
        note={({ active, fields, spam }) =>
          (active ? plural(fields.length, "field") : t("closed")) +
          (spam > 0 ? t(", {spam} spam", { spam }) : "")
        }
        view={(form) => <Details key={form.id} form={form} />}
      />
    </Things>
  )
}

function Details({ form }: { form: LeadForm }) {
  const { id, name, url, active, fields, source, tags, origins, limit_per_address, snippet } = form
  const change = (changes: Partial<LeadForm>) => void attempt(() => put(`/forms/${id}`, changes))
  return (
    <section class="card tile">
      <header class="card-head">
        <h2 class="hook-url">{name}</h2>
      </header>
      <p>
        <a href={url} target="_blank" rel="noreferrer" class="hook-url">
          {url}
        </a>
      </p>
      <p class="muted">
        {t(
          "Asks for {fields}. Source “{source}”{more}; {limit_per_address} posts a minute from one address{more2}.",
          {
            fields: fields
              .map(({ label, required }) =>
                required ? t("{label} (required)", { label: t(label) }) : t(label),
              )
              .join(", "),
            source,
            more: tags.length > 0 && t(", tags {tags}", { tags: tags.join(", ") }),
            limit_per_address,
            more2: form.double_opt_in && t("; the address is confirmed first"),
          },
        )}
      </p>
      <p class="muted">
        {origins.length > 0
          ? t("Pages of {origins} may post to it.", { origins: origins.join(", ") })
          : t("The snippet works on a website once its origin is allowed.")}
      </p>
      <div class="row">
        <Button label={t("Copy address")} onClick={() => copy(url, t("Address"))} />
        <Button label={t("Copy snippet")} onClick={() => copy(snippet, t("Snippet"))} />
        {canWrite.value && (
          <>
            <Button label={t("Edit")} onClick={() => openDialog(<EditDialog form={form} />)} />
            <Button
              label={active ? t("Close") : t("Open again")}
              onClick={() => change({ active: !active })}
            />
            <AskingButton
              label={t("Delete")}
              class="danger"
              title={t("Delete this form?")}
              text={t("Its address stops working and its spam is deleted. Its leads stay.")}
              work={async () => {
                await remove(`/forms/${id}`)
                choose(undefined)
              }}
            />
          </>
        )}
      </div>
      {canWrite.value && (
        <FormLanguage
          value={form.language}
          onChange={(language) => change({ language: language as LeadForm["language"] })}
        />
      )}
      {active && (
        <>
          <h3>{t("Preview")}</h3>
          {/* The page itself; nothing is sent from here. */}
          <iframe
            key={JSON.stringify(form)}
            class="form-preview"
            sandbox=""
            title={t("Preview")}
            src={new URL(url).pathname}
          />
        </>
      )}
      <Spam form={form} />
    </section>
  )
}

function Spam({ form }: { form: LeadForm }) {
  const path = `/forms/${form.id}/spam`
  // Not read with each write, as lists of settings are: the form itself may be what was deleted.
  const { data, error, again } = useGet<FormSpamPage>(path, { limit: 50 })
  async function release(id: string) {
    await post(`${path}/${id}/release`)
    again()
    say(t("It is a lead now"))
  }
  return (
    <>
      <header class="card-head">
        <h3>{t("Spam")}</h3>
        <Button label={t("Look again")} class="link small" onClick={again} />
      </header>
      {error !== undefined && <FailureNote error={error} again={again} />}
      {data?.spam.length === 0 && <p class="muted">{t("Nothing was kept apart in the last 7 days.")}</p>}
      <ul class="deliveries">
        {data?.spam.map(({ id, reason, lead, created_at }) => (
          <li key={id} class="spam">
            <span class="spam-who">{[lead.name, lead.email].filter(Boolean).join(", ")}</span>
            <span class="muted">{REASONS[reason] ?? reason}</span>
            <Ago at={created_at} class="muted" />
            {canWrite.value && <Button label={t("Not spam")} class="small" work={() => release(id)} />}
          </li>
        ))}
      </ul>
    </>
  )
}

/** Fields to choose from. */
const FIELDS: Readonly<Record<string, string>> = {
  name: t("Name"),
  email: t("Email"),
  phone: t("Phone"),
  company: t("Company"),
  job_title: t("Job title"),
  website: t("Website"),
  city: t("City"),
  country: t("Country"),
  description: t("Message"),
}
/** Those of a new form. */
const FIRST: readonly Pick<FormField, "name" | "required">[] = [
  { name: "name", required: false },
  { name: "email", required: true },
  { name: "description", required: false },
]

type FormField = LeadForm["fields"][number]

/** Chooses the language of a form's page. */
function FormLanguage(props: { value?: string; onChange?: (language: string) => void }) {
  return (
    <Select
      label={t("Language of the page")}
      name="language"
      {...props}
      options={{ auto: t("The visitor's"), de: "Deutsch", en: "English" }}
    />
  )
}

interface Props {
  /** The form that is changed; undefined makes one. */
  form?: LeadForm
}

/** Makes or changes a form of the fields that are ticked; what else can be set has its default. */
function EditDialog({ form }: Props) {
  const first: readonly (Partial<FormField> & Pick<FormField, "name">)[] = form?.fields ?? FIRST
  const before = new Map(first.map((field) => [field.name, field]))
  const names = form ? [...new Set([...before.keys(), ...Object.keys(FIELDS)])] : Object.keys(FIELDS)
  /** Takes away what was set. */
  const none = form ? null : undefined
  function bodyOf(sent: Sent) {
    const list = (name: string, between: RegExp) => sent.text(name).split(between).filter(Boolean)
    return {
      name: sent.text("name"),
      fields: sent.getAll("field").map((field) => {
        const name = String(field)
        const label = sent.text(`label ${name}`)
        const type = before.get(name)?.type
        return {
          name,
          ...(label && { label }),
          required: sent.has(`required ${name}`),
          ...(type && { type }),
        }
      }),
      source: sent.text("source") || none,
      tags: list("tags", /\s*,\s*/),
      origins: list("origins", /[\s,]+/),
      consent_text: sent.text("consent_text") || none,
      double_opt_in: sent.has("double_opt_in"),
      language: sent.text("language"),
    }
  }
  async function save(sent: Sent) {
    const body = bodyOf(sent)
    if (form) await put(`/forms/${form.id}`, body)
    else choose((await post<LeadForm>("/forms", body)).id)
  }
  return (
    <FormDialog
      title={form ? t("Edit form") : t("New form")}
      action={form ? t("Save") : t("Create form")}
      onSend={save}
    >
      <Input
        label={t("Name")}
        hint={t("Shown above the form.")}
        name="name"
        defaultValue={form?.name}
        required
      />
      <fieldset class="form-fields">
        <legend>{t("Fields")}</legend>
        {names.map((name) => {
          const label = FIELDS[name] ?? name.replace(/^attr:/, "")
          const field = before.get(name)
          return (
            <div class="form-field" key={name}>
              <label>
                <input type="checkbox" name="field" value={name} defaultChecked={field !== undefined} />{" "}
                {label}
              </label>
              <input
                name={`label ${name}`}
                aria-label={t("Label of {label}", { label })}
                placeholder={t("Label")}
                defaultValue={field?.label}
                maxLength={1000}
              />
              <label>
                <input
                  type="checkbox"
                  name={`required ${name}`}
                  aria-label={t("{label} is required", { label })}
                  defaultChecked={field?.required}
                />{" "}
                {t("required")}
              </label>
            </div>
          )
        })}
      </fieldset>
      <Input
        label={t("Source")}
        hint={t("The name of the form unless given.")}
        name="source"
        defaultValue={form?.source}
      />
      <Input
        label={t("Tags")}
        hint={t("With commas between them.")}
        name="tags"
        defaultValue={form?.tags.join(", ")}
      />
      <Input
        label={t("Websites that may use the snippet")}
        hint={t("Such as https://www.example.com")}
        name="origins"
        defaultValue={form?.origins.join(" ")}
        spellcheck={false}
      />
      <TextArea
        label={t("Consent")}
        hint={t("People tick a box beside this text; it is kept with the lead.")}
        name="consent_text"
        defaultValue={form?.consent_text ?? ""}
        rows={2}
      />
      <FormLanguage {...(form && { value: form.language })} />
      <label class="form-choice">
        <input type="checkbox" name="double_opt_in" defaultChecked={form?.double_opt_in} />{" "}
        {t("Confirm the email address first (a webhook sends the link)")}
      </label>
    </FormDialog>
  )
}
