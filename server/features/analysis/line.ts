import { busy } from '#server/platform/running/places.ts'
import type { Spending } from './spending.ts'

/** Who waits for a seat. */
export interface Waiting<Seat> {
  readonly accountId: string
  /** Where a picture that was begun goes on; any seat for one that was not. */
  readonly at: Seat | undefined
  readonly pixels: number
  sit(seat: Seat): void
}

/** Those who wait for a seat, and the pixels of those that were begun. */
export interface Line<Seat> {
  /** @throws {Problem} overloaded (503) when too many wait, in all or of the account */
  refuseFull(accountId: string): void
  join(one: Waiting<Seat>): void
  leave(one: Waiting<Seat>): void
  /** Takes out whoever is next for a seat; its pixels are in flight from then on. */
  takeFor(seat: Seat): Waiting<Seat> | undefined
  /** The pixels of a picture are in flight no longer. */
  free(pixels: number): void
}

/**
 * [Note: Pixels in flight] Decoded pictures take most of the memory, so their pixels are limited over all that were begun. Who
 * does not fit lets those go on that were begun, and nobody new.
 */
export function createLine<Seat>(
  { places, pixels: mostPixels }: { readonly places: number; readonly pixels: number },
  spending: Pick<Spending, 'inTurn'>,
): Line<Seat> {
  let waiting: Waiting<Seat>[] = []
  let pixelsInFlight = 0
  const fits = ({ pixels }: Waiting<Seat>) => pixelsInFlight === 0 || pixelsInFlight + pixels <= mostPixels

  function nextFor(seat: Seat): Waiting<Seat> | undefined {
    const inTurn = spending.inTurn(waiting)
    const begun = inTurn.find(({ at }) => at === seat)
    const fresh = inTurn.find(({ at }) => at === undefined)
    if (fresh === undefined || !fits(fresh)) return begun
    return begun !== undefined && inTurn.indexOf(begun) < inTurn.indexOf(fresh) ? begun : fresh
  }

  const leave = (one: Waiting<Seat>) => {
    waiting = waiting.filter((other) => other !== one)
  }
  return {
    refuseFull(accountId) {
      const own = waiting.filter((one) => one.accountId === accountId).length
      if (own === 0 && waiting.length < places * 2) return
      if (waiting.length >= places || own >= Math.max(1, Math.floor(places / 2))) throw busy()
    },
    join(one) {
      waiting = one.at === undefined ? [...waiting, one] : [one, ...waiting]
    },
    leave,
    takeFor(seat) {
      const next = nextFor(seat)
      if (next === undefined) return undefined
      leave(next)
      if (next.at === undefined) pixelsInFlight += next.pixels
      return next
    },
    free(pixels) {
      pixelsInFlight -= pixels
    },
  }
}
