/** For so long after a key, a press or a move somebody is taken to look and to want what is asked for. */
export const activeMilliseconds = 30_000

const signs = ['keydown', 'pointerdown', 'pointermove', 'wheel', 'touchstart'] as const

/** Tells whether somebody did something of late. Who leaves a page open is not kept signed in by what it asks for itself. */
export function watchActivity(page: EventTarget, now: () => number): () => boolean {
  let last = now()
  const see = () => {
    last = now()
  }
  for (const sign of signs) page.addEventListener(sign, see, { passive: true })
  return () => now() - last < activeMilliseconds
}
