import type { Fetch } from '#shared/call.ts'
import { allowanceFor, untilCut } from './until-cut.ts'

/** [Note: Silence is no answer] A lost network causes no error, so requests have a timeout. */
export function fetchWithin(milliseconds: number): Fetch {
  return async (address, init) => {
    const { signal, over } = untilCut(milliseconds + allowanceFor(init.body))
    try {
      const answer = await fetch(address, { ...init, cache: 'no-store', signal })
      const text = await answer.text()
      return { ok: answer.ok, status: answer.status, headers: answer.headers, text: async () => text }
    } finally {
      over()
    }
  }
}
