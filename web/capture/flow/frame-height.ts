import type { Exit } from './departure.ts'

/** Measured heights of the page, in pixels. */
export interface PageSize {
  /** Height of the frame. */
  readonly shown: number
  /** The content's height, if it is larger. */
  readonly needed: number
}

/** More than any screen needs, even with text at 200 % in a frame of 320 pixels. */
const greatestHeight = 4000

/**
 * Asks the embedding page for more height if the content does not fit. Call it whenever the size changes.
 * [Note: Asking for height] Requests only grow, because a shrinking frame would make the embedding page jump. A screen sized
 * relative to its frame overflows a taller frame by the same amount, so the page does not ask again in that case.
 */
export function createHeightRequests({
  place,
  post,
}: Pick<Exit, 'place' | 'post'>): (size: PageSize) => void {
  let asked = 0
  let last = { shown: 0, missing: Number.POSITIVE_INFINITY }
  let inVain = 0
  return ({ shown, needed }) => {
    const missing = needed - shown
    if (place !== 'frame') return
    if (shown !== last.shown) inVain = shown > last.shown && missing >= last.missing ? missing : 0
    last = { shown, missing }
    if (missing <= Math.max(inVain, 0) || needed <= asked || asked === greatestHeight) return
    asked = Math.min(Math.ceil(needed), greatestHeight)
    post({ height: asked }, '*')
  }
}

/** Watches the size of a framed page; its screens change with `onScreen`. */
export function followHeight(exit: Exit, page: Window, onScreen: (changed: () => void) => void): void {
  if (exit.place !== 'frame') return
  const request = createHeightRequests(exit)
  const { documentElement, body } = page.document
  const measure = () => request({ shown: page.innerHeight, needed: documentElement.scrollHeight })
  // Watches the body because it grows with its content. A full-height screen can overflow without that, and a frame can grow too little.
  new ResizeObserver(measure).observe(body)
  page.addEventListener('resize', measure)
  onScreen(() => page.requestAnimationFrame(measure))
}
