/** An event in Chromium's trace. Times are in microseconds. */
interface TraceEvent {
  readonly name: string
  readonly cat: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  readonly ts: number
  readonly dur?: number
  /** The processor time within `dur`. */
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

/** How long the thread that draws a page worked between two of its marks, in milliseconds. */
export interface PageThreadTime {
  readonly tasks: number
  /** The part of `tasks` that ran on a processor. The rest was spent waiting for one, or for another process. */
  readonly processor: number
  readonly longestTask: number
  /** The number of measures with the given name that ended in that time. */
  readonly pictures: number
}

/** The categories that `pageThreadTime` reads. */
export const tracedCategories = ['toplevel', 'blink.user_timing', '__metadata']

/** If more categories than `tracedCategories` are recorded, each task appears in the trace under two nested names. */
const taskName = 'ThreadControllerImpl::RunTask'

interface Span {
  readonly from: string
  readonly to: string
  readonly picture: string
}

/** Adds up the page thread's tasks between the first mark `from` and the next mark `to`. @throws if a mark is missing from the trace */
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
