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
  /** The ring in words. */
  readonly label: string
  /** The picture rests: nothing is being looked at. */
  readonly dim: boolean
}

const outside = `M0 0h${drawing.width}v${drawing.height}H0Z${ellipsePath()}`

/** The window with the person's picture, the oval and the ring. No words: their contrast would be luck. */
export function Stage({ video, view, segments, current, label, dim }: StageProps) {
  const window = useRef<HTMLDivElement>(null)
  useEffect(() => {
    window.current?.prepend(video)
    // A video that leaves the document is paused by the platform, and stays so when it comes back.
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
