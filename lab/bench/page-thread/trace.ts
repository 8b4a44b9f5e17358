/** An event of Chromium's trace; times in microseconds. */
interface TraceEvent {
  readonly name: string
  readonly cat: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  readonly ts: number
  readonly dur?: number
  readonly args?: { readonly name?: string }
}

/** Work of the thread that draws a page, between two of its marks. Milliseconds. */
export interface PageThreadTime {
  readonly tasks: number
  readonly longestTask: number
}

/** The categories that `pageThreadTime` reads. */
export const tracedCategories = ['toplevel', 'blink.user_timing', '__metadata']

/** Adds up the tasks of the page's thread between the first mark `from` and the next mark `to`. @throws if the trace lacks a mark */
export function pageThreadTime(trace: Buffer, from: string, to: string): PageThreadTime {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: readonly TraceEvent[] }
  const begin = traceEvents.find(({ name, cat }) => name === from && cat.includes('blink.user_timing'))
  const end = traceEvents.find(({ name, ts }) => name === to && begin !== undefined && ts > begin.ts)
  if (begin === undefined || end === undefined)
    throw new Error(`the trace has no ${from} with a ${to} after it`)
  const durations = traceEvents
    .filter(({ pid, tid }) => pid === begin.pid && tid === begin.tid)
    .filter(({ name, ph, ts }) => name.endsWith('RunTask') && ph === 'X' && ts >= begin.ts && ts <= end.ts)
    .map(({ dur = 0 }) => dur / 1000)
  return { tasks: durations.reduce((sum, one) => sum + one, 0), longestTask: Math.max(0, ...durations) }
}
