/** One turn of a process's event loop. */
export interface LoopTurn {
  /** When the turn ended, in milliseconds since 1970. */
  readonly endedAt: number
  /** The main thread's processor time in this turn, in milliseconds. */
  readonly processorMs: number
}

const leastReportedMs = 1

/**
 * Module for `--import` that appends each turn of the main thread's event loop that takes at least a millisecond of
 * processor time to a file. An unreferenced immediate runs once in every turn and never keeps the loop from sleeping.
 * Node 20 has no `process.threadCpuUsage`, so the time comes from `/proc/<pid>/task/<tid>/schedstat`, which the
 * kernel updates at each of its ticks, so a figure may be off by 4 ms.
 */
export function turnProbe(file: string): string {
  const program = `
    import { appendFileSync, openSync, readSync } from 'node:fs'
    import { isMainThread } from 'node:worker_threads'
    if (isMainThread) {
      const stat = openSync('/proc/self/task/' + process.pid + '/schedstat')
      const bytes = Buffer.alloc(64)
      const processorMs = () => {
        const length = readSync(stat, bytes, 0, bytes.length, 0)
        return Number(bytes.toString('latin1', 0, length).split(' ')[0]) / 1e6
      }
      let before = processorMs()
      const look = () => {
        const took = processorMs() - before
        if (took >= ${leastReportedMs})
          appendFileSync(${JSON.stringify(file)}, Date.now() + ' ' + took.toFixed(3) + '\\n')
        before = processorMs()
        setImmediate(look).unref()
      }
      setImmediate(look).unref()
    }`
  return `data:text/javascript,${encodeURIComponent(program)}`
}

/** Parses a file written by a probe. */
export function turnsFrom(text: string): LoopTurn[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [endedAt, processorMs] = line.split(' ').map(Number) as [number, number]
      return { endedAt, processorMs }
    })
}
