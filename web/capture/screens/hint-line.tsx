import type { ComponentChildren } from 'preact'
import type { LiveView } from '#web/capture/analysis/tracker.ts'
import { Icon } from '#web/ui/icon.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import { fill } from '#web/wording/fill.ts'
import { numberFormat } from '#web/wording/formatters.ts'
import type { Wording } from '#web/wording/wording.ts'

interface HintLineProps {
  readonly view: LiveView
  readonly wording: Wording
  /** Shown when there is no hint. */
  readonly children?: ComponentChildren
}

/** The current hint. Its space is reserved to avoid layout shifts. The live region announces it. */
export function HintLine({ view, wording, children }: HintLineProps) {
  const pace = view.heldUp.value ? 'savingPower' : view.slow.value ? 'moveSlowly' : null
  const hint = view.hint.value ?? pace
  return (
    <div class="hint-line">
      {hint === null ? (
        children
      ) : (
        <p class="hint" data-hint={hint}>
          <span class="hint-mark">
            <Icon name="guide" size={20} />
          </span>
          {wording.hint[hint]}
        </p>
      )}
    </div>
  )
}

/** The guidance networks' download progress. It changes constantly, so it is never announced. */
export function LoadingLine({ view, wording }: { readonly view: LiveView; readonly wording: Wording }) {
  const loading = view.loading.value
  if (loading === null) return null
  const { bytes, totalBytes } = loading
  const megabytes = (count: number) =>
    numberFormat(wording.locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(count / 1e6)
  const label = fill(wording.loading.progress, { loaded: megabytes(bytes), total: megabytes(totalBytes) })
  return (
    <div class="loading-line">
      <ProgressBar share={totalBytes === 0 ? null : bytes / totalBytes} label={wording.loading.title} />
      <p class="muted">{label}</p>
    </div>
  )
}
