import { useEffect, useRef } from 'preact/hooks'
import type { Action } from '#shared/contract/sessions/session.ts'
import { drawing, oval } from '#web/capture/analysis/oval.ts'
import type { LiveView } from '#web/capture/analysis/tracker.ts'
import { Pictogram } from './pictogram.tsx'
import { Ring, type RingSide } from './ring.tsx'
import { SizeOutline } from './size-outline.tsx'

interface StageProps {
  readonly video: HTMLElement
  readonly view: LiveView
  /** The requested action; null if there is none. */
  readonly action: Action | null
  /** True once the step counts. */
  readonly isClosed: boolean
  /** The drawing's text alternative. */
  readonly label: string
  /** True if the picture is dimmed because nothing is being analysed. */
  readonly dim: boolean
}

const outside = `M0 0h${drawing.width}v${drawing.height}H0Z${ellipsePath()}`

/**
 * The camera picture with the oval, the ring and the requested movement. It contains no text, because the contrast would
 * depend on the picture.
 */
export function Stage({ video, view, action, isClosed, label, dim }: StageProps) {
  const side = sideOf(action, view.mirrored.value)
  const window = useRef<HTMLDivElement>(null)
  useEffect(() => {
    window.current?.prepend(video)
    // Browsers pause a video when it leaves the document and do not resume it when it returns.
    if (video instanceof HTMLVideoElement && video.srcObject !== null) video.play().catch(() => {})
  }, [video])
  return (
    <div class={`stage ${dim ? 'dim' : ''}`} data-mirrored={view.mirrored.value}>
      <div class="stage-window" ref={window}>
        <svg
          class="stage-drawing"
          viewBox={`0 0 ${drawing.width} ${drawing.height}`}
          role="img"
          aria-label={label}
        >
          <path class="stage-shade" d={outside} />
          <SizeOutline outline={view.outline} />
          <Ring from={side ?? 'top'} isClosed={isClosed} progress={view.progress} />
        </svg>
        {action !== null && (
          <div class="stage-signs">
            <Pictogram action={action} mirrored={view.mirrored.value} />
            {side !== null && !dim && <Arrow to={side} />}
          </div>
        )}
      </div>
    </div>
  )
}

/** The side of the screen that an action moves the head to; null for an action in place. */
function sideOf(action: Action | null, isMirrored: boolean): RingSide | null {
  if (action === 'lookUp') return 'top'
  if (action !== 'turnLeft' && action !== 'turnRight') return null
  return (action === 'turnLeft') === isMirrored ? 'left' : 'right'
}

/** An arrow at the rim of the oval. It is a separate element, so that the compositor can move it. */
function Arrow({ to }: { to: RingSide }) {
  return (
    <svg class={`stage-arrow to-${to}`} viewBox="0 0 48 48" aria-hidden="true">
      <circle cx="24" cy="24" r="22" />
      <path d="M12 24h23M25 13.500 35.500 24 25 34.500" />
    </svg>
  )
}

function ellipsePath(): string {
  const { x, y, rx, ry } = oval
  return `M${x - rx} ${y}a${rx} ${ry} 0 1 0 ${2 * rx} 0a${rx} ${ry} 0 1 0 ${-2 * rx} 0Z`
}
