import type { Exit } from './departure.ts'

/** What is measured of the page, in pixels. */
export interface PageSize {
  /** Of the frame. */
  readonly shown: number
  /** Of what is in it, where that is more. */
  readonly needed: number
}

/** More than any screen of the page needs, also with letters at 200 % in a frame of 320 pixels. */
const greatestHeight = 4000

/**
 * Asks whoever frames the page for more height where not all of it can be seen. Call it with each change of its size.
 * [Note: Asking for height] It asks for more each time, or not at all: a frame that shrank again would let the page around it jump. A
 * screen that is laid out by the height of its frame overflows by as much in a higher one: that much is not asked for again.
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

/** Watches the size of a page that is framed; its screens change with `onScreen`. */
export function followHeight(exit: Exit, page: Window, onScreen: (changed: () => void) => void): void {
  if (exit.place !== 'frame') return
  const request = createHeightRequests(exit)
  const { documentElement, body } = page.document
  const measure = () => request({ shown: page.innerHeight, needed: documentElement.scrollHeight })
  // Its body grows with what is in it; a screen as high as its frame may overflow without, and a frame may grow by too little.
  new ResizeObserver(measure).observe(body)
  page.addEventListener('resize', measure)
  onScreen(() => page.requestAnimationFrame(measure))
}
