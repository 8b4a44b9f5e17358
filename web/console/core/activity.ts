/** How long the person counts as active after a key press, a click or a pointer movement. */
export const activeMilliseconds = 30_000

const signs = ['keydown', 'pointerdown', 'pointermove', 'wheel', 'touchstart'] as const

/** Returns a function that reports whether the person was active recently, so that an abandoned page's polling does not extend the sign-in. */
export function watchActivity(page: EventTarget, now: () => number): () => boolean {
  let last = now()
  const see = () => {
    last = now()
  }
  for (const sign of signs) page.addEventListener(sign, see, { passive: true })
  return () => now() - last < activeMilliseconds
}
