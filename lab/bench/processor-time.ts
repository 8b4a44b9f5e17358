import { readdirSync, readFileSync } from 'node:fs'

/**
 * What all threads of a process have taken of the processor, in microseconds; undefined where the system does not tell.
 * Source: the first number of `/proc/<pid>/task/<tid>/schedstat` of Linux, in nanoseconds.
 */
export function processorTimeOf(pid: number): number | undefined {
  try {
    const nanoseconds = readdirSync(`/proc/${pid}/task`).map((thread) =>
      Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
    )
    return nanoseconds.reduce((sum, one) => sum + one, 0) / 1000
  } catch {
    return undefined
  }
}
