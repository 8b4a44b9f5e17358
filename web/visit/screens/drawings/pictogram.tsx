import type { Action } from '#shared/contract/sessions/session.ts'

interface PictogramProps {
  readonly action: Action
  /** Left is drawn where people see their left: in a mirror that is the screen's left. */
  readonly mirrored: boolean
}

/** What to do, drawn: a head of which one part moves; two stills and an arrow where motion is not wanted. */
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
      <svg class="stills" aria-hidden="true" viewBox="0 0 216 96">
        <g class="still-rest">
          <Head />
        </g>
        <path class="between" d="M99 48h16m-6-6 6 6-6 6" />
        <g class="still-done" transform="translate(120 0)">
          <Head />
        </g>
      </svg>
    </div>
  )
}

function Head() {
  return (
    <g class="head">
      <circle class="skull" cx="48" cy="48" r="34" />
      <g class="features">
        <g class="eyes">
          <circle cx="36" cy="42" r="3" />
          <circle cx="60" cy="42" r="3" />
        </g>
        <path class="lids" d="M31 43h10m14 0h10" />
        <path class="nose" d="M48 44v9" />
        <path class="mouth" d="M38 62h20" />
        <path class="mouth-smile" d="M35 59c4 8 22 8 26 0" />
      </g>
    </g>
  )
}

const pointers: Record<string, string> = {
  'toward-left': 'M10 48H2m5-6-6 6 6 6',
  'toward-right': 'M86 48h8m-5-6 6 6-6 6',
  lookUp: 'M48 11V3m-6 5 6-6 6 6',
}

function Pointer({ kind }: { kind: string }) {
  const drawing = pointers[kind]
  return drawing === undefined ? null : <path class="pointer" d={drawing} />
}
