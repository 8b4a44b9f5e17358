import type { ReadonlySignal } from '@preact/signals'
import type { Situation } from '#web/capture/machine/state.ts'
import type { Exit } from './departure.ts'

/**
 * Tells whoever frames or opened the page that it is there, and what keeps it from going on. Neither says anything of the person, so
 * that it goes to any origin: a page that was never allowed to be framed never comes here.
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

/** What an embedder need not tell apart: a camera that was refused by whomever, a time that is over in whatever way. Every other cause keeps its name. */
const words: Readonly<Record<string, string>> = {
  blocked: 'denied',
  dismissed: 'denied',
  blockedBySystem: 'denied',
  gone: 'expired',
  timeOver: 'expired',
}

/** One of the words that docs/integrate.md lists. */
function problemOf(state: Situation['state']): string | undefined {
  const cause = causeOf(state)
  return cause === undefined ? undefined : (words[cause] ?? cause)
}

function causeOf(state: Situation['state']): string | undefined {
  if (state.name === 'timeOver' || state.name === 'moved') return state.name
  if (state.name === 'linkProblem') return state.problem
  return state.name === 'cameraProblem' ? state.cause : undefined
}
