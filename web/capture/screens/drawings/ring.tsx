import { type ReadonlySignal, useComputed } from '@preact/signals'
import { oval } from '#web/capture/analysis/oval.ts'

const gap = 7
const [rx, ry] = [oval.rx + gap, oval.ry + gap]

/** The side of the screen that a head is asked to move to, and where the ring begins to fill. */
export type RingSide = 'left' | 'right' | 'top'

interface RingProps {
  readonly from: RingSide
  /** True once the step counts. */
  readonly isClosed: boolean
  /** How much of the step has been measured, from 0 to 1. */
  readonly progress: ReadonlySignal<number>
}

/** [Note: Ring] A hairline that fills from the requested side, both ways, and closes on the opposite side. A closed ring has a tick. */
export function Ring({ from, isClosed, progress }: RingProps) {
  return (
    <g class="ring">
      <ellipse class="ring-casing" cx={oval.x} cy={oval.y} rx={rx} ry={ry} />
      <ellipse class={isClosed ? 'ring-full' : 'ring-todo'} cx={oval.x} cy={oval.y} rx={rx} ry={ry} />
      {isClosed ? <Tick /> : <Filling from={from} progress={progress} />}
    </g>
  )
}

/** [Note: Drawn once a picture] The signal sets the attributes directly, and the browser repaints the drawing without a new layout. */
function Filling({ from, progress }: Pick<RingProps, 'from' | 'progress'>) {
  const share = useComputed(() => Math.max(0, Math.min(1, progress.value)))
  const offset = useComputed(() => (100 - share.value * 100).toFixed(1))
  const visibility = useComputed(() => (share.value < 0.01 ? 'hidden' : 'visible'))
  return (
    <g visibility={visibility}>
      {halvesOf(from).map((half) => (
        <path
          class="ring-now"
          key={half}
          d={half}
          pathLength={100}
          stroke-dasharray="100"
          stroke-dashoffset={offset}
        />
      ))}
    </g>
  )
}

function Tick() {
  return (
    <g class="ring-tick" transform={`translate(${oval.x} ${oval.y - ry})`}>
      <circle r="11" />
      <path d="m-5 .5 3.500 3.500 6.500-7" />
    </g>
  )
}

/** The two ways around the ring, from a side to the opposite one. */
function halvesOf(from: RingSide): readonly [string, string] {
  const { x, y } = oval
  const [start, end] =
    from === 'top'
      ? [`${x} ${y - ry}`, `${x} ${y + ry}`]
      : from === 'left'
        ? [`${x - rx} ${y}`, `${x + rx} ${y}`]
        : [`${x + rx} ${y}`, `${x - rx} ${y}`]
  const wayOf = (sweep: 0 | 1) => `M${start}A${rx} ${ry} 0 0 ${sweep} ${end}`
  return [wayOf(0), wayOf(1)]
}
