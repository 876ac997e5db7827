import { get } from "../core/api.ts"
import { useLoaded } from "../core/loading.ts"
import { t } from "../core/text.ts"
import { copy } from "../core/toast.ts"
import type { NetworkAnswer } from "../core/types.ts"
import { Icon } from "./icons.tsx"
import { QrCode } from "./qr-code.tsx"

/** Whether an address leads to the machine that it is opened on. */
export function isLocal(address: string): boolean {
  const name = URL.parse(address)?.hostname ?? ""
  return name === "localhost" || name.endsWith(".localhost") || name.startsWith("127.") || name === "[::1]"
}

/** Where other machines open the dashboard. */
export function Network() {
  const { data } = useLoaded((signal) => get<NetworkAnswer>("/network", {}, signal), [])
  if (!data) return null
  const { public_url, addresses } = data
  const all = [...(public_url === null ? [] : [public_url]), ...addresses]
  return (
    <section class="card tile">
      <header class="card-head">
        <h2>{t("On this network")}</h2>
      </header>
      {all.length === 0 ? (
        <StartOnNetwork />
      ) : (
        <ul class="network">
          {all.map((origin) => (
            <li key={origin} class="row">
              <a href={`${origin}/app`}>{`${origin}/app`}</a>
              <CopyButton copied={`${origin}/app`} />
            </li>
          ))}
        </ul>
      )}
      {all[0] !== undefined && (
        <>
          <p class="muted">{t("Point a phone's camera at this to open it there:")}</p>
          <QrCode address={`${all[0]}/app`} />
        </>
      )}
      {all.length > 0 && all.every((origin) => origin.startsWith("http:")) && (
        <p class="muted">{t("Without HTTPS people sign in there with a password: passkeys need HTTPS.")}</p>
      )}
    </section>
  )
}

/** The ways to start the service so that other machines reach it. */
const STARTS = ["leaddb serve --lan", "npm start -- --lan", "LEADDB_LAN=1"]

function StartOnNetwork() {
  return (
    <>
      <p class="muted">
        {t(
          "Only this machine reaches the service. To open it on phones and other machines, stop it and start it again in one of these ways:",
        )}
      </p>
      <ul class="network">
        {STARTS.map((start) => (
          <li key={start} class="row">
            <code>{start}</code>
            <CopyButton copied={start} />
          </li>
        ))}
      </ul>
      <p class="muted">
        {t(
          "Everybody in the network can then open the sign-in page. Only people and programs that you let in see leads.",
        )}
      </p>
    </>
  )
}

function CopyButton({ copied }: { copied: string }) {
  return (
    <button
      type="button"
      class="small"
      aria-label={t("Copy {address}", { address: copied })}
      onClick={() => copy(copied, t("Text"))}
    >
      <Icon name="copy" size={14} />
      {t("Copy")}
    </button>
  )
}
