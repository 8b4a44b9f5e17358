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
        <g transform="translate(-8 22) scale(.84)">
          <Head />
        </g>
        <g class="lamp">
          <circle cx="77" cy="20" r="8" />
          <path d="M77 3v3m0 28v3M60 20h3m28 0h3M65 8l2 2m20 20 2 2m0-24-2 2M67 30l-2 2" />
        </g>
      </Part>
      <Part words={isHandheld ? getReady.phone : getReady.desk}>
        <g transform="translate(-14 22) scale(.84)">
          <Head />
        </g>
        <path class="sight" d="M55 53h9" />
        <path
          class="device"
          d={
            isHandheld
              ? 'M72 30h16a4 4 0 0 1 4 4v42a4 4 0 0 1-4 4H72a4 4 0 0 1-4-4V34a4 4 0 0 1 4-4Z'
              : 'M66 80h28M80 68v12M70 36h20a4 4 0 0 1 4 4v24a4 4 0 0 1-4 4H70a4 4 0 0 1-4-4V40a4 4 0 0 1 4-4Z'
          }
        />
        <path d={isHandheld ? 'M80 38v.5' : 'M80 44v.5'} />
      </Part>
      <Part words={moves ? getReady.moves : title.hold} moves={moves}>
        <g transform="translate(8 18) scale(.84)">
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
