import type { Action } from '#shared/contract/sessions/session.ts'
import { Head } from './head.tsx'

interface PictogramProps {
  readonly action: Action
  /** True if the person's left is drawn on the left, as in a mirror. */
  readonly mirrored: boolean
}

/** Illustrates an action with a head that moves. With reduced motion, it shows two stills, one above the other, and an arrow between them. */
export function Pictogram({ action, mirrored }: PictogramProps) {
  const side = action === 'turnLeft' ? -1 : 1
  const kind = action.startsWith('turn')
    ? side * (mirrored ? 1 : -1) < 0
      ? 'toward-left'
      : 'toward-right'
    : action
  return (
    <div class={`pictogram ${kind}`} aria-hidden="true">
      <svg class="moving" aria-hidden="true" viewBox="0 0 96 96">
        <Head />
        <Pointer kind={kind} />
      </svg>
      <svg class="stills" aria-hidden="true" viewBox="0 0 96 216">
        <g class="still-rest">
          <Head />
        </g>
        <path class="between" d="M48 95v22m-8-8 8 8 8-8" />
        <g class="still-done" transform="translate(0 122)">
          <Head />
          <Pointer kind={kind} />
        </g>
      </svg>
    </div>
  )
}

/** The arrow follows the movement: around the neck for a turn, upwards for a raised chin. */
const pointers: Record<string, string> = {
  'toward-left': 'M82 78c-12 15-52 17-68 3m2 13-3-14 14 1',
  'toward-right': 'M14 78c12 15 52 17 68 3m-2 13 3-14-14 1',
  lookUp: 'M89 60V20m-6 7 6-7 6 7',
}

function Pointer({ kind }: { kind: string }) {
  const drawing = pointers[kind]
  return drawing === undefined ? null : <path class="pointer" d={drawing} />
}
