import type { SessionResult } from '#shared/contract/sessions/session-result.ts'
import type { Problem } from '#shared/problem.ts'
import { readResult, type Site } from '../acted/scenario.ts'

/** A capture as it arrived on the server. */
export type Arrival = SessionResult & {
  readonly [K in 'capturedAt' | 'kiosk']: NonNullable<SessionResult[K]>
}

/** All of a kiosk's sessions that webhooks have reported, in order of arrival. */
async function arrivalsOf(site: Site, kioskId: string): Promise<Arrival[]> {
  const reported = site.receiver.received.map(({ body }) => sessionOf(body))
  const results = await Promise.all([...new Set(reported)].map((id) => resultOf(site, id)))
  return results
    .flat()
    .filter(isOf(kioskId))
    .sort((a, b) => (a.kiosk.receivedAt < b.kiosk.receivedAt ? -1 : 1))
}

/** Waits until this number of captures and their webhooks have arrived. */
export async function untilArrived(site: Site, kioskId: string, count: number): Promise<Arrival[]> {
  const until = Date.now() + 60_000 + 15_000 * count // each one passes through the whole pipeline
  for (;;) {
    const arrivals = await arrivalsOf(site, kioskId)
    if (arrivals.length >= count) return arrivals
    if (Date.now() > until) throw new Error(`${arrivals.length} of ${count} captures arrived`)
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}

/** Empty if another visit to the same site has erased the person since then. */
async function resultOf(site: Site, id: string): Promise<SessionResult[]> {
  try {
    return [await readResult(site, id)]
  } catch (problem) {
    if ((problem as Problem).code === 'not_found') return []
    throw problem
  }
}

function isOf(kioskId: string): (result: SessionResult) => result is Arrival {
  return (result): result is Arrival => result.kiosk?.kioskId === kioskId
}

function sessionOf(body: string): string {
  const found = /"verificationSessionId":"([^"]+)"/.exec(body)
  if (found === null) throw new Error('a webhook without a session')
  return found[1]!
}
