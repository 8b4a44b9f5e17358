import { type Address, withQuery } from '#web/console/core/address.ts'

/** Links to the sessions behind a figure, which are those opened since the first interval, plus any additional filters. */
export function sessionsSince(since: string | undefined): (query: Record<string, string | null>) => Address {
  const all: Address = {
    page: 'sessions',
    parts: [],
    query: since === undefined ? {} : { createdFrom: since },
  }
  return (query) => withQuery(all, query)
}
