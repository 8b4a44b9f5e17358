import type { SendBytes } from './multipart.ts'
import { untilCut } from './until-cut.ts'

/** [Note: Silence is no answer] A network that is gone says nothing: a request ends when the browser is asked to end it, or late. */
export function fetchWithin(milliseconds: number): SendBytes {
  return async (address, init) => {
    const { signal, over } = untilCut(milliseconds)
    try {
      const answer = await fetch(address, { ...init, cache: 'no-store', signal })
      const text = await answer.text()
      return { ok: answer.ok, status: answer.status, headers: answer.headers, text: async () => text }
    } finally {
      over()
    }
  }
}
