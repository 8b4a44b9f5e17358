import type { ReadonlySignal } from '@preact/signals'
import type { Situation } from '#web/capture/machine/state.ts'

/** How long other downloads wait while the first picture is analysed or the person is still reading. */
const quietMilliseconds = 3000

/** Runs once, shortly after everything the visit is waiting for has loaded. */
export function whenQuiet(situation: ReadonlySignal<Situation>, run: () => void): void {
  let waits = false
  situation.subscribe((now) => {
    if (waits || !isQuiet(now)) return
    waits = true
    setTimeout(run, quietMilliseconds)
  })
}

/** True if nothing is loading. */
function isQuiet({ state, context: { analysis } }: Situation): boolean {
  const isLoading = analysis === 'loading' || analysis === 'faces' || analysis === 'guidance'
  return !isLoading || state.name === 'linkProblem'
}
