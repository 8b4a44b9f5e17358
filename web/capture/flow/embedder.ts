import type { ReadonlySignal } from '@preact/signals'
import type { Situation } from '#web/capture/machine/state.ts'
import type { Exit } from './departure.ts'

/**
 * Tells the embedding page that this page is ready and what is blocking it. The messages contain nothing about the person, so they
 * may go to any origin. A page that is not allowed to be framed never runs in the first place.
 */
export function followEmbedder(
  exit: Pick<Exit, 'place' | 'post'>,
  situation: ReadonlySignal<Situation>,
): void {
  if (exit.place === 'alone') return
  exit.post({ shown: true }, '*')
  let last: string | undefined
  situation.subscribe(({ state }) => {
    const problem = problemOf(state)
    if (problem !== undefined && problem !== last) exit.post({ problem }, '*')
    last = problem
  })
}

/** Names for embedders, which do not need to know who refused the camera or why the time ended. Other causes keep their names. */
const words: Readonly<Record<string, string>> = {
  blocked: 'denied',
  dismissed: 'denied',
  blockedBySystem: 'denied',
  gone: 'expired',
  timeOver: 'expired',
}

/** One of the problem names listed in docs/integrate.md. */
function problemOf(state: Situation['state']): string | undefined {
  const cause = causeOf(state)
  return cause === undefined ? undefined : (words[cause] ?? cause)
}

function causeOf(state: Situation['state']): string | undefined {
  if (state.name === 'timeOver' || state.name === 'moved') return state.name
  if (state.name === 'linkProblem') return state.problem
  return state.name === 'cameraProblem' ? state.cause : undefined
}
