import { type ReadonlySignal, useComputed } from '@preact/signals'
import { oval } from '#web/capture/analysis/oval.ts'

const ringGap = 7
const gapInDegrees = 5

interface RingProps {
  readonly segments: number
  /** The index of the segment being filled; equal to `segments` if all are full. */
  readonly current: number
  readonly progress: ReadonlySignal<number>
}

/** [Note: Ring] One segment per step, clockwise from the top: hairline for upcoming, growing line for current, full line with tick for done. */
export function Ring({ segments, current, progress }: RingProps) {
  const indices = Array.from({ length: segments }, (_, index) => index)
  const arcOf = (index: number) => arc(...spanOf(index, segments))
  return (
    <g class="ring">
      <ellipse class="ring-casing" cx={oval.x} cy={oval.y} rx={oval.rx + ringGap} ry={oval.ry + ringGap} />
      {indices.map((index) => (
        <g key={index}>
          <path class={index < current ? 'ring-full' : 'ring-todo'} d={arcOf(index)} />
          {index === current && <Filling path={arcOf(index)} progress={progress} />}
          {index < current && <Tick index={index} segments={segments} />}
        </g>
      ))}
    </g>
  )
}

/** [Note: Drawn once a picture] The signal sets the attribute directly, because browsers animate a dash array on the page's main thread. */
function Filling({ path, progress }: { path: string; progress: ReadonlySignal<number> }) {
  const share = useComputed(() => Math.max(0, Math.min(1, progress.value)))
  const dashes = useComputed(() => `${(share.value * 100).toFixed(1)} 200`)
  const visibility = useComputed(() => (share.value < 0.01 ? 'hidden' : 'visible'))
  return <path class="ring-now" d={path} pathLength={100} stroke-dasharray={dashes} visibility={visibility} />
}

function Tick({ index, segments }: { index: number; segments: number }) {
  const [from, to] = spanOf(index, segments)
  const { x, y } = pointAt((from + to) / 2)
  return (
    <g class="ring-tick" transform={`translate(${x} ${y})`}>
      <circle r="7.5" />
      <path d="m-3.5 .5 2.5 2.5 4.5-5" />
    </g>
  )
}

function spanOf(index: number, segments: number): [number, number] {
  const whole = 360 / segments
  const gap = segments === 1 ? 0.01 : gapInDegrees
  return [index * whole + gap / 2, (index + 1) * whole - gap / 2]
}

/** Degrees clockwise from the top. */
function pointAt(degrees: number): { x: number; y: number } {
  const angle = ((degrees - 90) * Math.PI) / 180
  return {
    x: round(oval.x + (oval.rx + ringGap) * Math.cos(angle)),
    y: round(oval.y + (oval.ry + ringGap) * Math.sin(angle)),
  }
}

function arc(from: number, to: number): string {
  const start = pointAt(from)
  const end = pointAt(to)
  const large = to - from > 180 ? 1 : 0
  return `M${start.x} ${start.y}A${oval.rx + ringGap} ${oval.ry + ringGap} 0 ${large} 1 ${end.x} ${end.y}`
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
