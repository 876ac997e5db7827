import { formatNumber } from "../core/format.ts"
import { t } from "../core/text.ts"

/** How far longer work is; a bar that only moves where the end is not known. */
export function ProgressBar({ done, of, label }: { done: number; of: number | null; label: string }) {
  return (
    <div class="progress">
      <progress
        aria-label={label}
        max={of ?? undefined}
        value={of === null ? undefined : Math.min(done, of)}
      />
      <span class="muted">
        {formatNumber(done)}
        {of !== null && t(" of {of}", { of: formatNumber(of) })}
      </span>
    </div>
  )
}
