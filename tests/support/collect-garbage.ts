import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Makes V8 collect garbage over and over until it is asked to stop. */
export function keepCollectingGarbage(everyMilliseconds = 10): { stop(): void } {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const timer = setInterval(collect, everyMilliseconds)
  return { stop: () => clearInterval(timer) }
}
