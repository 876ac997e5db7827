import { useState } from "preact/hooks"
import { canWrite } from "../core/session.ts"
import { t } from "../core/text.ts"
import { attempt, say } from "../core/toast.ts"
import { Button } from "./button.tsx"

/** Fills an empty account with leads to try. */
export function AddSample({ onDone }: { onDone: () => void }) {
  const [text, setText] = useState("")
  return (
    <Button
      disabled={text !== ""}
      onClick={async () => {
        setText(t("Adding sample leads…"))
        await attempt(async () => {
          const { addSample } = await import("../core/sample.ts")
          await addSample((done, of) => setText(t("Adding sample leads: {done} of {of}", { done, of })))
          say(t("Sample leads added"))
        })
        setText("")
        onDone()
      }}
    >
      {text || t("Try 500 sample leads")}
    </Button>
  )
}

/** Says that there are sample leads, with the way out. */
export function SampleNote({ onDone }: { onDone: () => void }) {
  const [isBusy, setBusy] = useState(false)
  return (
    <p class="note-line">
      {t("These numbers contain sample leads.")}{" "}
      {canWrite.value && (
        <Button
          label={isBusy ? t("Removing…") : t("Remove them")}
          class="link"
          disabled={isBusy}
          onClick={async () => {
            setBusy(true)
            await attempt(async () => {
              const { removeSample } = await import("../core/sample.ts")
              await removeSample()
              say(t("Sample leads removed"))
            })
            setBusy(false)
            onDone()
          }}
        />
      )}
    </p>
  )
}
