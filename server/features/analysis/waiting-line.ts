import { busy } from '#server/platform/running/places.ts'
import type { VirtualTime } from './virtual-time.ts'

/** A picture waiting for a worker. */
export interface WaitingPicture<Slot> {
  readonly accountId: string
  /** The slot on which a started picture continues; undefined for any slot. */
  readonly at: Slot | undefined
  readonly pixels: number
  /** True if the picture gives way to all of its account's other work; defaults to never. */
  readonly isEarly?: () => boolean
  start(slot: Slot): void
}

/** The pictures waiting for a worker, and the pixels of started pictures. */
export interface WaitingLine<Slot> {
  /** @throws {Problem} overloaded (503) if too many are waiting, in total or for the account */
  refuseFull(accountId: string): void
  join(one: WaitingPicture<Slot>): void
  leave(one: WaitingPicture<Slot>): void
  /** Takes the next picture for a slot. Its pixels are in flight from then on. */
  takeFor(slot: Slot): WaitingPicture<Slot> | undefined
  /** Marks a picture's pixels as no longer in flight. */
  free(pixels: number): void
}

/**
 * [Note: Pixels in flight] Decoded pictures take up most of the memory, so the pixels of all started pictures are limited. If
 * the next picture does not fit, only started ones continue and no new one begins.
 */
export function createWaitingLine<Slot>(
  { places, pixels: mostPixels }: { readonly places: number; readonly pixels: number },
  virtualTime: Pick<VirtualTime, 'inOrder'>,
): WaitingLine<Slot> {
  let waiting: WaitingPicture<Slot>[] = []
  let pixelsInFlight = 0
  const fits = ({ pixels }: WaitingPicture<Slot>) =>
    pixelsInFlight === 0 || pixelsInFlight + pixels <= mostPixels

  function nextFor(slot: Slot): WaitingPicture<Slot> | undefined {
    const inOrder = virtualTime.inOrder(earlyLast(waiting))
    const begun = inOrder.find(({ at }) => at === slot)
    const fresh = inOrder.find(({ at }) => at === undefined)
    if (fresh === undefined || !fits(fresh)) return begun
    return begun !== undefined && inOrder.indexOf(begun) < inOrder.indexOf(fresh) ? begun : fresh
  }

  const leave = (one: WaitingPicture<Slot>) => {
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
    takeFor(slot) {
      const next = nextFor(slot)
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

/** Keeps the accounts' order, and only reorders pictures within an account. */
function earlyLast<Slot>(waiting: readonly WaitingPicture<Slot>[]): readonly WaitingPicture<Slot>[] {
  const early = waiting.filter(({ isEarly }) => isEarly?.() === true)
  return early.length === 0 ? waiting : [...waiting.filter((one) => !early.includes(one)), ...early]
}
