import { useEffect, useState } from "preact/hooks"
import { t } from "../core/text.ts"

/** Modules of light around the code, which readers need (ISO/IEC 18004). */
const MARGIN = 4

/** A code that a phone's camera opens. Its program is loaded when one is shown. */
export function QrCode({ address }: { address: string }) {
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
