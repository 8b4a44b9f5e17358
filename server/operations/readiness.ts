import type { TokenKeys } from '#server/security/token-keys.ts'
import type { Store } from '#server/store/store.ts'
import type { readyz } from '#shared/contract/health.ts'
import type { Handler } from '#shared/endpoint.ts'
import { Problem } from '#shared/problem.ts'
import type { Phase } from './phase.ts'

const patienceInMilliseconds = 2000
const retryAfterInSeconds = 2

interface Dependencies {
  store: Store
  tokenKeys: TokenKeys
  phase: () => Phase
  /** What else is wrong, in words. */
  troubles?: (() => readonly string[]) | undefined
}

/** Whether traffic may be sent here: the store answers and takes writes, clocks agree, keys of tokens are there, networks are warm. */
export function createReadyz({
  store,
  tokenKeys,
  phase,
  troubles,
}: Dependencies): Handler<typeof readyz, unknown> {
  async function missing(): Promise<string[]> {
    const [storeAnswers, keysAreThere] = await Promise.all([
      succeeds(store.get('readiness')),
      succeeds(tokenKeys.current()),
    ])
    return [
      phase() === 'stopping' && 'The server is stopping.',
      phase() === 'starting' && 'The analysis is not warmed up yet.',
      !storeAnswers && 'The store does not answer.',
      !keysAreThere && 'The keys of tokens are not there.',
      ...(troubles?.() ?? []),
    ].filter((reason) => reason !== false)
  }

  return async () => {
    const reasons = await missing()
    if (reasons.length > 0) throw new Problem('not_ready', reasons.join(' '), { retryAfterInSeconds })
    return { ready: true }
  }
}

function succeeds(work: Promise<unknown>): Promise<boolean> {
  return new Promise((done) => {
    const timer = setTimeout(() => done(false), patienceInMilliseconds)
    const settle = (succeeded: boolean) => {
      clearTimeout(timer)
      done(succeeded)
    }
    work.then(
      () => settle(true),
      () => settle(false),
    )
  })
}
