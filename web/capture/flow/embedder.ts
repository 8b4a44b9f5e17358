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

function problemOf(state: Situation['state']): string | undefined {
  if (state.name === 'linkProblem') return state.problem
  return state.name === 'cameraProblem' ? state.cause : undefined
}
