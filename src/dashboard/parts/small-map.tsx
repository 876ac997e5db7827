import { useEffect, useRef } from "preact/hooks"
import { href } from "../core/router.ts"
import { t } from "../core/text.ts"
import { chosenTheme } from "../core/theme.ts"
import type { Lead } from "../core/types.ts"

const HEIGHT = 150
/** Pixels that the world would be wide: a country and its neighbours are seen. */
const SCALE = 4_500
const NEAR_KM = 10

/** Where a lead is, with the way to those around it. Nothing for a lead without a place. */
export function SmallMap({ lead: { latitude, longitude, score } }: { lead: Lead }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const theme = chosenTheme.value
  useEffect(() => {
    if (latitude === null || longitude === null) return
    let isHere = true
    // The outline of the land is asked for by few pages.
    void Promise.all([import("./map-draw.ts"), import("./map-view.ts")]).then(([draw, { project }]) => {
      if (!isHere || !canvas.current) return
      const size = { width: canvas.current.clientWidth, height: HEIGHT }
      const context = draw.drawLand(canvas.current, size, { ...project(latitude, longitude), scale: SCALE })
      draw.drawDot(context, { x: size.width / 2, y: size.height / 2, score }, 7)
    })
    return () => {
      isHere = false
    }
  }, [latitude, longitude, score, theme])
  if (latitude === null || longitude === null) return null
  return (
    <section class="panel-section">
      <h3>{t("Place")}</h3>
      <canvas
        ref={canvas}
        class="small-map"
        role="img"
        aria-label={t("At {latitude}, {longitude}", { latitude, longitude })}
      />
      <a href={href("leads", { filter: `and.within_radius.location.${latitude},${longitude},${NEAR_KM}` })}>
        {t("Leads within {km} km", { km: NEAR_KM })}
      </a>
    </section>
  )
}
