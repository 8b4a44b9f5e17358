import { Head } from './head.tsx'

interface SceneProps {
  /** True for a handheld phone, false for a desktop screen. */
  readonly isHandheld: boolean
  /** True if actions will be requested; otherwise holding still is enough. */
  readonly moves: boolean
}

/**
 * Illustrates the setting and the task: a light, the camera at eye level, and a head that performs possible actions
 * once, in under five seconds (WCAG 2.2.2). It does not move if the person prefers reduced motion.
 */
export function Scene({ isHandheld, moves }: SceneProps) {
  return (
    <svg class={`scene ${moves ? 'with-moves' : ''}`} viewBox="0 0 240 150" aria-hidden="true">
      <g class="ground">
        <ellipse cx="92" cy="76" rx="58" ry="72" />
        <ellipse cx="148" cy="76" rx="58" ry="72" />
      </g>
      <g class="lamp">
        <circle cx="214" cy="24" r="8" />
        <path d="M214 6v4m0 28v4m-18-18h4m28 0h4M201 11l3 3m20 20 3 3m0-26-3 3m-20 20-3 3" />
      </g>
      {isHandheld ? <Phone /> : <Desk />}
    </svg>
  )
}

function Phone() {
  return (
    <>
      <rect class="device" x="84" y="6" width="72" height="138" rx="12" />
      <path class="device" d="M116 14h8" />
      <Acting at="81 36" />
    </>
  )
}

function Desk() {
  return (
    <>
      <rect class="device" x="50" y="12" width="140" height="100" rx="10" />
      <path class="device" d="M120 18v.500M34 126h172l-10-14H44Z" />
      <Acting at="81 24" />
    </>
  )
}

/** A head and the directions in which it turns. */
function Acting({ at }: { at: string }) {
  return (
    <g transform={`translate(${at}) scale(.82)`}>
      <Head />
      <path class="turns" d="M4 32-6 42 4 52m88-20 10 10-10 10" />
    </g>
  )
}
