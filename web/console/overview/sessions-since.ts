import { type Address, withQuery } from '#web/console/core/address.ts'

/** Ways to the sessions that a figure counts: those that were opened since the first interval began, by further filters. */
export function sessionsSince(since: string | undefined): (query: Record<string, string | null>) => Address {
  const all: Address = {
    page: 'sessions',
    parts: [],
    query: since === undefined ? {} : { createdFrom: since },
  }
  return (query) => withQuery(all, query)
}
