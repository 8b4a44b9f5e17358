import type { TokenKeys } from '#server/features/tokens/tokens.ts'
import type { Phase } from '#server/platform/running/phase.ts'
import type { Store } from '#server/platform/store/store.ts'
import { outgrown } from '#server/platform/store/store-stamp.ts'
import type { readyz } from '#shared/contract/health.ts'
import type { Handler } from '#shared/endpoint.ts'
import { Problem } from '#shared/problem.ts'

const patienceInMilliseconds = 2000
const retryAfterInSeconds = 2

interface Dependencies {
  store: Store
  tokenKeys: TokenKeys
  phase: () => Phase
  /** As counted at startup; absent if it was not counted. */
  unreadableCollections?: (() => number) | undefined
  /** Undefined if no servers store faces. */
  inexactSearches?: (() => number | undefined) | undefined
  /** Further problems, as messages. */
  troubles?: (() => readonly string[]) | undefined
}

/**
 * Decides if traffic may be sent to this process: the store answers, accepts writes and does not belong to a later version of
 * the program; clocks agree; token keys exist; and the networks and the configured collections are warm.
 */
export function createReadyz(services: Dependencies): Handler<typeof readyz, unknown> {
  const { store, tokenKeys, phase, unreadableCollections = () => 0, troubles = () => [] } = services
  const { inexactSearches = () => undefined } = services
  async function missing(): Promise<string[]> {
    let later: string | undefined
    const looked = outgrown(store).then((words) => {
      later = words
    })
    const [storeAnswers, keysAreThere] = await Promise.all([
      succeeds(looked),
      succeeds(Promise.resolve(tokenKeys.current())),
    ])
    return [
      phase() === 'stopping' && 'The server is stopping.',
      phase() === 'starting' && 'The analysis is not warmed up yet.',
      later,
      !storeAnswers && 'The store does not answer.',
      !keysAreThere && 'The token keys are missing.',
      ...troubles(),
    ].filter((reason) => typeof reason === 'string')
  }

  return async () => {
    const reasons = await missing()
    if (reasons.length > 0) throw new Problem('not_ready', reasons.join(' '), { retryAfterInSeconds })
    const inexact = inexactSearches()
    const counted = { unreadableCollections: unreadableCollections() }
    return { ready: true, ...counted, ...(inexact !== undefined && { inexactSearches: inexact }) }
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
