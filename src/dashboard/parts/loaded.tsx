import type { ComponentType } from "preact"
import { useEffect, useState } from "preact/hooks"
import { attempt } from "../core/toast.ts"

/** A component whose program is loaded when it is shown first. */
export function Loaded<Props extends object>({
  load,
  props,
}: {
  load: () => Promise<ComponentType<Props>>
  props: Props
}) {
  const [view, setView] = useState<{ View: ComponentType<Props> }>()
  useEffect(() => {
    void attempt(async () => setView({ View: await load() }))
  }, [])
  if (!view) return null
  const { View } = view
  return <View {...props} />
}
