import { readdirSync, readFileSync } from 'node:fs'

/**
 * Processor time of all threads of a process in microseconds; undefined if the system does not report it. Source: the
 * first number of `/proc/<pid>/task/<tid>/schedstat` on Linux, in nanoseconds.
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
