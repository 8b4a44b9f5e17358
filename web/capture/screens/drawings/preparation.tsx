import type { ComponentChildren } from 'preact'
import type { Wording } from '#web/wording/wording.ts'
import { Head } from './head.tsx'

interface PreparationProps {
  /** True for a handheld phone, false for a desktop screen. */
  readonly isHandheld: boolean
  /** True if actions will be requested; otherwise holding still is enough. */
  readonly moves: boolean
  readonly wording: Wording
}

/**
 * The three things that a check needs, each as a drawing with a few words: a light, the camera at eye level, and the task. The last head
 * performs possible actions once, in under five seconds (WCAG 2.2.2). It does not move if the person prefers reduced motion.
 */
export function Preparation({ isHandheld, moves, wording: { getReady, title } }: PreparationProps) {
  return (
    <ul class="preparation">
      <Part words={getReady.light}>
        <g transform="translate(0 30) scale(.66)">
          <Head />
        </g>
        <g class="lamp">
          <circle cx="76" cy="22" r="7" />
          <path d="M76 5v4m0 26v4m-17-17h4m26 0h4M64 10l3 3m18 18 3 3m0-24-3 3m-18 18-3 3" />
        </g>
      </Part>
      <Part words={isHandheld ? getReady.phone : getReady.desk}>
        <g transform="translate(-4 20) scale(.66)">
          <Head />
        </g>
        <path class="sight" d="M50 45h10" />
        {isHandheld ? (
          <rect class="device" x="66" y="22" width="26" height="48" rx="5" />
        ) : (
          <path
            class="device"
            d="M62 74h34M66 28h26a3 3 0 0 1 3 3v29a3 3 0 0 1-3 3H66a3 3 0 0 1-3-3V31a3 3 0 0 1 3-3Z"
          />
        )}
        <path d={isHandheld ? 'M79 28v.5' : 'M79 35v.5'} />
      </Part>
      <Part words={moves ? getReady.moves : title.hold} moves={moves}>
        <g transform="translate(12 12) scale(.75)">
          <Head />
          {moves && <path class="turns" d="M4 32-6 42 4 52m88-20 10 10-10 10" />}
        </g>
      </Part>
    </ul>
  )
}

interface PartProps {
  readonly words: string
  readonly moves?: boolean
  readonly children: ComponentChildren
}

function Part({ words, moves = false, children }: PartProps) {
  return (
    <li>
      <svg class={`scene ${moves ? 'with-moves' : ''}`} viewBox="0 0 96 96" aria-hidden="true">
        {children}
      </svg>
      <span>{words}</span>
    </li>
  )
}
