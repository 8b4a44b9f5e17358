import { busy } from '#server/platform/running/places.ts'
import { Problem } from '#shared/problem.ts'

/** How often the limit is extended because the machine is slow, and not because the picture is. */
const mostTimes = 3

/**
 * Limits how long one step in an analysis may occupy a worker. If the process got less than half of that time from the
 * processor, other processes on the machine had it, so the picture is not to blame and gets the same time again, up to three
 * times in all.
 *
 * `usedMilliseconds` returns the process's total processor time so far, over all of its threads. `over` rejects with
 * `unreadable_image` if the picture takes too long, and with `overloaded` if the machine does.
 */
export function limitPiece(
  milliseconds: number,
  usedMilliseconds: () => number = usedByProcess,
): { readonly over: Promise<never>; clear(): void } {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<never>((_done, fail) => {
    const wait = (times: number): void => {
      const before = usedMilliseconds()
      timer = setTimeout(() => {
        if (usedMilliseconds() - before >= milliseconds / 2) {
          fail(new Problem('unreadable_image', 'The picture took too long to analyse. Try again later.'))
        } else if (times >= mostTimes) fail(busy())
        else wait(times + 1)
      }, milliseconds)
    }
    wait(1)
  })
  return { over, clear: () => clearTimeout(timer) }
}

function usedByProcess(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
