import { call } from '../../shared/call.ts'
import type { Arguments, Endpoint, ResultOf } from '../../shared/endpoint.ts'

/** Sends calls to a single process. */
export interface Caller {
  call<E extends Endpoint>(
    endpoint: E,
    args: Arguments<E> & { apiKey?: string; bearer?: string },
  ): Promise<ResultOf<E>>
}

export function callerOf(origin: string, apiKey: string): Caller {
  return {
    call: (endpoint, { apiKey: given = apiKey, bearer, ...args }) => {
      const credential = bearer === undefined ? { apiKey: given } : { bearer }
      return call(fetch, origin, endpoint, { ...args, credential } as never)
    },
  }
}
