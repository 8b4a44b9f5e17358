/** Looks at something again and again. */
export interface Follower {
  /** Does nothing where it is looking already. */
  start(): void
  stop(): void
}

const eager = { looks: 60, milliseconds: 2000 }
const patientMilliseconds = 4000
const hiddenMilliseconds = 8000

/** How long to wait before the next look: every 2 s for two minutes, then every 4; every 8 where nobody is looking. */
export function pauseAfter(looks: number, hidden: boolean): number {
  if (hidden) return hiddenMilliseconds
  return looks < eager.looks ? eager.milliseconds : patientMilliseconds
}

/** Makes a follower. A look that fails is made again; `look` answers false when there is nothing more to see. */
export function createFollower(look: () => Promise<boolean>, page: Document): Follower {
  let wake: (() => void) | undefined
  let turns = 0
  /** The turn whose looks count; 0 while nobody looks. */
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
