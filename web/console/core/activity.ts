/** After a key press, a click or a pointer move, the person counts as active for this long. */
export const activeMilliseconds = 30_000

const signs = ['keydown', 'pointerdown', 'pointermove', 'wheel', 'touchstart'] as const

/** Returns a function that tells whether the person was active recently, so that automatic calls of an abandoned page do not extend the sign-in. */
export function watchActivity(page: EventTarget, now: () => number): () => boolean {
  let last = now()
  const see = () => {
    last = now()
  }
  for (const sign of signs) page.addEventListener(sign, see, { passive: true })
  return () => now() - last < activeMilliseconds
}
