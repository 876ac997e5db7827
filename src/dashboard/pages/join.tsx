import { beginAtProvider, post } from "../core/api.ts"
import { asRole } from "../core/format.ts"
import { useLoaded } from "../core/loading.ts"
import { hasPasskeys, makePasskey, provider, useSigningIn } from "../core/passkeys.ts"
import { go, HOME } from "../core/router.ts"
import { told } from "../core/said.ts"
import { signedIn } from "../core/session.ts"
import { t, tx } from "../core/text.ts"
import type { Invitation, Session } from "../core/types.ts"
import { Button } from "../parts/bits.tsx"
import { Form, Input } from "../parts/fields.tsx"

/** The name of the account that a first start makes, which says nothing to a person. */
const UNNAMED = "default"

/** Where an invitation leads: the person chooses how to sign in from now on. */
export function JoinPage({ invite }: { invite: string }) {
  const { data, error } = useLoaded(() => post<Invitation>("/members/invite", { invite }), [])
  const { problem, isBusy, run } = useSigningIn()
  const join = (answer: () => Promise<object>) =>
    run(async () => {
      signedIn(await post<Session>("/members/join", { invite, ...(await answer()) }))
      go(HOME, "replace")
    })
  const joinByProvider = () => run(async () => location.assign((await beginAtProvider(invite)).location))
  if (error) return <BrokenLink error={error} />
  if (!data) return null
  const canPasskey = hasPasskeys && data.passkey !== null
  return (
    <main class="gate">
      <div class="card">
        <p class="logo large">
          lead<b>db</b>
        </p>
        <h1>{t("Welcome, {name}", { name: data.name })}</h1>
        <p>
          {data.account === UNNAMED
            ? t("You are invited as {role}.", { role: asRole(data.role) })
            : tx("You are invited to the leads of {b} as {role}.", {
                b: <b>{data.account}</b>,
                role: asRole(data.role),
              })}
        </p>
        {problem && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        {provider && (
          <>
            <Button
              label={t("Sign in with {provider}", { provider })}
              class="primary wide"
              disabled={isBusy}
              onClick={joinByProvider}
            />
            <p class="or">
              <span>{canPasskey ? t("or with a passkey or a password") : t("or choose a password")}</span>
            </p>
          </>
        )}
        {canPasskey && (
          <>
            <Button
              label={t("Create a passkey")}
              class={provider ? "wide" : "primary wide"}
              disabled={isBusy}
              onClick={() =>
                join(async () => {
                  // Asked for anew: what a browser is to sign is good for some minutes only.
                  const { passkey } = await post<Invitation>("/members/invite", { invite })
                  return { passkey: await makePasskey(passkey ?? {}) }
                })
              }
            />
            <p class="or">
              <span>{t("or choose a password")}</span>
            </p>
          </>
        )}
        <PasswordForm
          name={data.name}
          isMain={!canPasskey && !provider}
          isBusy={isBusy}
          onJoin={(password) => join(async () => ({ password }))}
        />
      </div>
    </main>
  )
}

function BrokenLink({ error }: { error: unknown }) {
  return (
    <main class="gate">
      <div class="card">
        <h1>{t("This link does not work")}</h1>
        <p role="alert">{told(error)}</p>
        <p>{t("Ask the person who sent it for a new one.")}</p>
        <p>
          <a href="/app">{t("Sign in")}</a>
        </p>
      </div>
    </main>
  )
}

interface PasswordProps {
  name: string
  /** The only way to join, so its button is the main one. */
  isMain: boolean
  isBusy: boolean
  onJoin: (password: string) => Promise<void>
}

function PasswordForm({ name, isMain, isBusy, onJoin }: PasswordProps) {
  return (
    <Form class={undefined} staysOpen onSend={(sent) => onJoin(String(sent.get("password")))}>
      <input
        class="unseen"
        name="username"
        autocomplete="username"
        value={name}
        readOnly
        tabIndex={-1}
        aria-hidden="true"
      />
      <Input
        label={t("Password")}
        hint={t("At least 10 characters; a sentence is best.")}
        name="password"
        type="password"
        autocomplete="new-password"
        minLength={10}
        maxLength={200}
        required
      />
      <button class={isMain ? "primary wide" : "wide"} disabled={isBusy}>
        {t("Join with a password")}
      </button>
    </Form>
  )
}
