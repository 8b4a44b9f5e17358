/** An event of Chromium's trace; times in microseconds. */
interface TraceEvent {
  readonly name: string
  readonly cat: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  readonly ts: number
  readonly dur?: number
  /** The time of a processor within `dur`. */
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

/** Work of the thread that draws a page, between two of its marks. Milliseconds. */
export interface PageThreadTime {
  readonly tasks: number
  /** The part of `tasks` in which a processor ran them; the rest waited for one, or for another process. */
  readonly processor: number
  readonly longestTask: number
  /** Measures of the given name that ended meanwhile. */
  readonly pictures: number
}

/** The categories that `pageThreadTime` reads. */
export const tracedCategories = ['toplevel', 'blink.user_timing', '__metadata']

/** With more categories than `tracedCategories` each task is in a trace under two names, one within the other. */
const taskName = 'ThreadControllerImpl::RunTask'

interface Span {
  readonly from: string
  readonly to: string
  readonly picture: string
}

/** Adds up the tasks of the page's thread between the first mark `from` and the next mark `to`. @throws if the trace lacks a mark */
export function pageThreadTime(trace: Buffer, { from, to, picture }: Span): PageThreadTime {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: readonly TraceEvent[] }
  const isTiming = ({ cat }: TraceEvent) => cat.includes('blink.user_timing')
  const begin = traceEvents.find((event) => event.name === from && isTiming(event))
  const end = traceEvents.find(({ name, ts }) => name === to && begin !== undefined && ts > begin.ts)
  if (begin === undefined || end === undefined)
    throw new Error(`the trace has no ${from} with a ${to} after it`)
  const during = traceEvents.filter(
    ({ pid, tid, ts }) => pid === begin.pid && tid === begin.tid && ts >= begin.ts && ts <= end.ts,
  )
  const tasks = during.filter(({ name, ph }) => name === taskName && ph === 'X')
  const sumOf = (read: (event: TraceEvent) => number | undefined) =>
    tasks.reduce((sum, one) => sum + (read(one) ?? 0) / 1000, 0)
  return {
    tasks: sumOf(({ dur }) => dur),
    processor: sumOf(({ tdur }) => tdur),
    longestTask: Math.max(0, ...tasks.map(({ dur = 0 }) => dur / 1000)),
    pictures: during.filter(({ name, ph }) => name === picture && ph === 'e').length,
  }
}
