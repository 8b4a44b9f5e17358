import type { Clock } from './store.ts'

/** [Note: Clocks within 3 seconds] With more drift, expiry and order would differ between processes, so such a process is not ready. */
const mostDriftInSeconds = 3
/** After a slower answer, it is not clear enough when the time was read. */
const longestAnswerInMilliseconds = 1000

/** Measures how far this machine's clock is from the one that all of a store's processes share. */
export interface ClockWatch {
  /** Reads the other clock. If that fails, the last known drift is kept. */
  check(): Promise<void>
  /** Positive if our clock is ahead; undefined until it is known. */
  driftInSeconds(): number | undefined
  /** A message for operators if the drift is too large. */
  trouble(): string | undefined
}

/**
 * `time` reads the other clock, in milliseconds since 1970, which is compared with the midpoint between request and
 * answer (Cristian, 1989).
 */
export function createClockWatch(
  time: () => Promise<number>,
  now: Clock,
  server: 'PostgreSQL' | 'Redis' = 'Redis',
): ClockWatch {
  let drift: number | undefined
  return {
    async check() {
      const asked = now()
      const there = await time().catch(() => undefined)
      const answered = now()
      if (there === undefined || answered - asked > longestAnswerInMilliseconds) return
      drift = ((asked + answered) / 2 - there) / 1000
    },
    driftInSeconds: () => drift,
    trouble() {
      if (drift === undefined || Math.abs(drift) <= mostDriftInSeconds) return undefined
      const [off, side] = [Math.abs(drift).toFixed(1), drift > 0 ? 'ahead of' : 'behind']
      return `The clock of this machine is ${off} s ${side} that of the ${server} server.`
    },
  }
}
