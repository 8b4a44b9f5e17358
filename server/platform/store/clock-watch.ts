import type { Clock } from './store.ts'

/** [Note: Clocks within 3 seconds] Further apart, expiry and order are not the same everywhere: such a process is not ready. */
const mostDriftInSeconds = 3
/** An answer that took longer says too little of the time at which it was given. */
const longestAnswerInMilliseconds = 1000

/** How far this machine's clock is from the one that all processes of a store share. */
export interface ClockWatch {
  /** Asks the other clock; where it cannot be asked, what was known stays known. */
  check(): Promise<void>
  /** Positive where ours is ahead; undefined while it is not known. */
  driftInSeconds(): number | undefined
  /** In words, where it is too far. */
  trouble(): string | undefined
}

/** `time` answers the other clock, milliseconds since 1970. Taken for the midpoint between question and answer (Cristian, 1989). */
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
