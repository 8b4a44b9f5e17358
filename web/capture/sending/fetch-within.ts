import type { SendBytes } from './multipart.ts'
import { allowanceFor, untilCut } from './until-cut.ts'

/** [Note: Silence is no answer] A lost network causes no error, so requests need a timeout. */
export function fetchWithin(milliseconds: number): SendBytes {
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
