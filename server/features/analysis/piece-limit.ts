import { busy } from '#server/platform/running/places.ts'
import { Problem } from '#shared/problem.ts'

/** So often the time is given again where the machine, not the picture, is slow. */
const mostTimes = 3

/**
 * How long a piece of work may hold a worker. Where the process itself got less than half of that time from the processor, others on the machine
 * had it: the picture is not to blame, and has the time again, three times in all.
 *
 * `usedMilliseconds` is the processor time of this process so far, all of its threads. `over` rejects with `unreadable_image` where the picture takes too long, and with `overloaded` where the machine does.
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
