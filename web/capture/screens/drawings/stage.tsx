import { useEffect, useRef } from 'preact/hooks'
import { drawing, oval } from '#web/capture/analysis/oval.ts'
import type { LiveView } from '#web/capture/analysis/tracker.ts'
import { Ring } from './ring.tsx'
import { SizeOutline } from './size-outline.tsx'

interface StageProps {
  readonly video: HTMLElement
  readonly view: LiveView
  readonly segments: number
  readonly current: number
  /** The ring's text alternative. */
  readonly label: string
  /** True if the picture is dimmed because nothing is being analysed. */
  readonly dim: boolean
}

const outside = `M0 0h${drawing.width}v${drawing.height}H0Z${ellipsePath()}`

/** The camera picture with the oval and the ring. It contains no text, because the contrast would depend on the picture. */
export function Stage({ video, view, segments, current, label, dim }: StageProps) {
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
          <Ring segments={segments} current={current} progress={view.progress} />
        </svg>
      </div>
    </div>
  )
}

function ellipsePath(): string {
  const { x, y, rx, ry } = oval
  return `M${x - rx} ${y}a${rx} ${ry} 0 1 0 ${2 * rx} 0a${rx} ${ry} 0 1 0 ${-2 * rx} 0Z`
}
