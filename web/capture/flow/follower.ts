/** Polls something repeatedly. */
export interface Follower {
  /** A no-op if it is already polling. */
  start(): void
  stop(): void
}

const eager = { looks: 60, milliseconds: 2000 }
const patientMilliseconds = 4000
const hiddenMilliseconds = 8000

/** Pause before the next poll: 2 s for two minutes, then 4 s; 8 s while the page is hidden. */
export function pauseAfter(looks: number, hidden: boolean): number {
  if (hidden) return hiddenMilliseconds
  return looks < eager.looks ? eager.milliseconds : patientMilliseconds
}

/** Creates a follower. A failed poll is retried. `look` returns false when there is nothing left to poll for. */
export function createFollower(look: () => Promise<boolean>, page: Document): Follower {
  let wake: (() => void) | undefined
  let turns = 0
  /** The active run's id; 0 if there is none. */
  let current = 0

  const rest = (milliseconds: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  page.addEventListener('visibilitychange', () => !page.hidden && wake?.())

  async function run(mine: number): Promise<void> {
    for (let looks = 0; current === mine; looks++) {
      await rest(pauseAfter(looks, page.hidden))
      const goesOn = current === mine && (await look().catch(() => true))
      if (!goesOn && current === mine) current = 0
    }
  }

  return {
    start() {
      if (current !== 0) return
      current = ++turns
      void run(current)
    },
    stop() {
      current = 0
      wake?.()
    },
  }
}
