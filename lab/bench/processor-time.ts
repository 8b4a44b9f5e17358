import { readdirSync, readFileSync } from 'node:fs'

/**
 * The processor time of all of a process's threads in microseconds. Undefined if the system does not report it. On Linux, this is the first number
 * in `/proc/<pid>/task/<tid>/schedstat`, which is in nanoseconds.
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
