import { useEffect, useState } from "preact/hooks"
import { ask, peek } from "../core/api.ts"
import { useGet } from "../core/loading.ts"
import { isOwner } from "../core/session.ts"
import { t } from "../core/text.ts"
import { attempt, copy, say } from "../core/toast.ts"
import type { NetworkAnswer } from "../core/types.ts"
import { Button, Card } from "./bits.tsx"
import { ConfirmDialog, openDialog } from "./overlay.tsx"

/** Whether an address leads to the machine that it is opened on. */
export function isLocal(address: string): boolean {
  const name = URL.parse(address)?.hostname ?? ""
  return name === "localhost" || name.endsWith(".localhost") || name.startsWith("127.") || name === "[::1]"
}

/** Where other machines open the dashboard. */
export function Network() {
  const { data, again } = useGet<NetworkAnswer>("/network")
  if (!data) return null
  const { public_url, addresses, lan } = data
  const all = [...(public_url === null ? [] : [public_url]), ...addresses]
  return (
    <Card title={t("On this network")}>
      {lan !== null && isOwner.value ? (
        <Switch isOn={lan} onDone={again} />
      ) : (
        all.length === 0 && <StartOnNetwork />
      )}
      {all.length > 0 && (
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
    </Card>
  )
}

const LOOK_MS = 300
const PATIENCE_MS = 30_000

/** Resolves once the service has started again with the choice. */
async function switched(isOn: boolean): Promise<void> {
  // Nothing is read again until the service is back.
  await ask("PUT", "/network", { body: { lan: isOn }, isQuiet: true })
  const until = performance.now() + PATIENCE_MS
  while (performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    const now = await peek<NetworkAnswer>("/network").catch(() => undefined)
    if (now && now.addresses.length > 0 === isOn) return
  }
}

interface SwitchProps {
  isOn: boolean
  onDone: () => void
}

/** Lets other machines reach the service, after a question, and ends that. */
function Switch({ isOn, onDone }: SwitchProps) {
  return (
    <>
      <p class="muted">
        {isOn
          ? t("Phones and other machines of this network can open it.")
          : t("Only this machine reaches the service. Phones and other machines can reach it, too.")}
      </p>
      <p>
        <Button
          label={isOn ? t("Stop listening on this network") : t("Listen on this network")}
          class={isOn ? "" : "primary"}
          onClick={() => openDialog(<SwitchDialog isOn={isOn} onDone={onDone} />)}
        />
      </p>
    </>
  )
}

function SwitchDialog({ isOn, onDone }: SwitchProps) {
  return (
    <ConfirmDialog
      title={isOn ? t("Stop listening on this network?") : t("Listen on this network?")}
      action={isOn ? t("Stop listening") : t("Listen")}
      isDanger={isOn}
      work={async () => {
        await attempt(async () => {
          await switched(!isOn)
          say(isOn ? t("Only this machine reaches the service") : t("Listening on this network"))
        })
        onDone()
      }}
    >
      <p>{isOn ? t("People on other machines lose the connection at once.") : THEN_EVERYBODY}</p>
      <p>{t("The service starts again, which takes a few seconds, and keeps the choice.")}</p>
    </ConfirmDialog>
  )
}

const THEN_EVERYBODY = t(
  "Everybody in the network can then open the sign-in page. Only people and programs that you let in see leads.",
)

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
      <p class="muted">{THEN_EVERYBODY}</p>
    </>
  )
}

function CopyButton({ copied }: { copied: string }) {
  return (
    <Button
      icon="copy"
      label={t("Copy")}
      class="small"
      aria-label={t("Copy {label}", { label: copied })}
      onClick={() => copy(copied, t("Text"))}
    />
  )
}

/** Modules of light around the code, which readers need (ISO/IEC 18004). */
const MARGIN = 4

/** A code that a phone's camera opens. Its program is loaded when one is shown. */
function QrCode({ address }: { address: string }) {
  const [drawn, setDrawn] = useState<{ path: string; size: number }>()
  useEffect(() => {
    void import("uqr").then(({ encode }) => {
      const { data, size } = encode(address, { border: MARGIN })
      const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])))
      setDrawn({ path: dark.join(""), size })
    })
  }, [address])
  if (!drawn) return null
  const { path, size } = drawn
  return (
    <svg
      class="qr-code"
      role="img"
      aria-label={t("QR code of {address}", { address })}
      viewBox={`0 0 ${size} ${size}`}
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" shape-rendering="crispEdges" />
    </svg>
  )
}
