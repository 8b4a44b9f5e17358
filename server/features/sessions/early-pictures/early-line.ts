import { Problem } from '#shared/problem.ts'

export interface EarlyLine {
  /**
   * Runs the work when its turn comes, and retries it while the server is too busy. The work calls `isEarly` to see if it must still give way.
   * Runs two tasks at a time per session and one per worker for each account. An urged session gets one task per worker.
   */
  run<T>(place: EarlyPlace, work: (isEarly: () => boolean) => Promise<T>): Promise<T>
  /** Lets this session's pictures go first because its step is ending, until the returned function is called. */
  urge(session: string): () => void
}

export interface EarlyPlace {
  readonly session: string
  readonly accountId: string
}

const mostOfSession = 2
const againAfterMilliseconds = 100

interface WaitingTask extends EarlyPlace {
  start(): void
}

export function createEarlyLine(parallel: number): EarlyLine {
  const waiting = new Set<WaitingTask>()
  const underWay = new Map<string, number>()
  const urged = new Map<string, number>()
  const count = (name: string, more: number) => {
    const now = (underWay.get(name) ?? 0) + more
    if (now === 0) underWay.delete(name)
    else underWay.set(name, now)
  }
  const namesOf = ({ session, accountId }: EarlyPlace) =>
    [`session/${session}`, `account/${accountId}`] as const

  function mayStart(place: EarlyPlace): boolean {
    const [session, account] = namesOf(place).map((name) => underWay.get(name) ?? 0) as [number, number]
    if (urged.has(place.session)) return session < Math.max(parallel, mostOfSession)
    return session < mostOfSession && account < parallel
  }

  /** Urged sessions start first. */
  function dispatch(): void {
    for (const one of [...waiting].sort(
      (a, b) => Number(urged.has(b.session)) - Number(urged.has(a.session)),
    )) {
      if (!mayStart(one)) continue
      waiting.delete(one)
      for (const name of namesOf(one)) count(name, 1)
      one.start()
    }
  }

  return {
    async run(place, work) {
      await new Promise<void>((start) => {
        waiting.add({ ...place, start })
        dispatch()
      })
      try {
        return await unlessBusy(() => work(() => !urged.has(place.session)))
      } finally {
        for (const name of namesOf(place)) count(name, -1)
        dispatch()
      }
    },
    urge(session) {
      urged.set(session, (urged.get(session) ?? 0) + 1)
      dispatch()
      return () => {
        const left = urged.get(session)! - 1
        if (left === 0) urged.delete(session)
        else urged.set(session, left)
      }
    },
  }
}

/** Runs the work, and retries it each time the server is too busy. */
async function unlessBusy<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'overloaded')) throw error
    }
    await new Promise((over) => setTimeout(over, againAfterMilliseconds))
  }
}
