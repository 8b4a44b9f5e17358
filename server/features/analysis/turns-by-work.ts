import { busy } from '#server/platform/running/places.ts'
import { createLine, type Waiting } from './line.ts'
import { createSpending } from './spending.ts'

/** What somebody waits with: on whose behalf, how many pixels it takes to decode, and how long anybody listens. */
export interface Ticket {
  readonly accountId: string
  readonly pixels: number
  readonly signal: AbortSignal
}

/** A seat that was given, for one picture. */
export interface Turn<Seat> {
  readonly seat: Seat
  /**
   * Lets others have the seat whose turn it is, and waits to have it again.
   * @throws the signal's reason where the client has hung up meanwhile
   */
  pause(): Promise<void>
  /** Gives the seat back; once. */
  end(): void
}

export interface TurnsByWork<Seat> {
  /** @throws {Problem} overloaded (503) when too many wait, in all or of the account, or when it takes too long */
  take(ticket: Ticket): Promise<Turn<Seat>>
}

export interface TurnLimits {
  /** [Note: Half at most] How many may wait; of one account half. Who has nothing there yet always finds a place. */
  readonly places: number
  readonly pixels: number
  /** How long a picture may wait until it is begun. */
  readonly patienceInMilliseconds: number
}

/**
 * Who has a seat next. [Note: Accounts in turn, by work] Each account has spent so much time of the seats; the next is of the account that has
 * spent least. So a flood delays its sender alone, however heavy its pictures are. An account that comes anew begins where the others are.
 */
export function createTurnsByWork<Seat>(
  seats: readonly Seat[],
  limits: TurnLimits,
  now: () => number = () => performance.now(),
): TurnsByWork<Seat> {
  const free = new Set(seats)
  const spending = createSpending()
  const line = createLine<Seat>(limits, spending)

  function dispatch(): void {
    for (const seat of [...free]) {
      const next = line.takeFor(seat)
      if (next === undefined) continue
      free.delete(seat)
      spending.begin(next.accountId)
      next.sit(seat)
    }
  }

  /** Waits for a seat; for any where `at` is undefined, and then not for ever. */
  function sitDown({ accountId, pixels, signal }: Ticket, at: Seat | undefined): Promise<Seat> {
    const patience = at === undefined ? limits.patienceInMilliseconds : undefined
    return new Promise((done, fail) => {
      const giveUp = (reason: unknown) => {
        line.leave(one)
        spending.end(accountId, 0)
        dispatch()
        fail(reason)
      }
      const settle = unlessGivenUp(signal, patience, giveUp)
      const sit = (seat: Seat) => {
        settle()
        done(seat)
      }
      const one: Waiting<Seat> = { accountId, at, pixels, sit }
      spending.join(accountId)
      line.join(one)
      dispatch()
    })
  }

  function giveBack(seat: Seat, accountId: string, work: number): void {
    spending.end(accountId, work)
    free.add(seat)
  }

  return {
    async take(ticket) {
      ticket.signal.throwIfAborted()
      line.refuseFull(ticket.accountId)
      const seat = await sitDown(ticket, undefined)
      const end = () => {
        line.free(ticket.pixels)
        dispatch()
      }
      return turnAt<Seat>(seat, ticket, { now, giveBack, sitDown, end })
    },
  }
}

interface House<Seat> {
  now(): number
  giveBack(seat: Seat, accountId: string, work: number): void
  sitDown(ticket: Ticket, at: Seat | undefined): Promise<Seat>
  end(): void
}

function turnAt<Seat>(seat: Seat, ticket: Ticket, { now, giveBack, sitDown, end }: House<Seat>): Turn<Seat> {
  let since: number | undefined = now()
  const rise = () => {
    if (since !== undefined) giveBack(seat, ticket.accountId, now() - since)
    since = undefined
  }
  return {
    seat,
    async pause() {
      ticket.signal.throwIfAborted()
      rise()
      await sitDown(ticket, seat)
      since = now()
    },
    end() {
      rise()
      end()
    },
  }
}

/** Gives up when the signal says so or the patience is over; until the answer is called. */
function unlessGivenUp(
  signal: AbortSignal,
  patienceInMilliseconds: number | undefined,
  giveUp: (reason: unknown) => void,
): () => void {
  const hangUp = () => end(signal.reason)
  const patience =
    patienceInMilliseconds === undefined ? undefined : setTimeout(() => end(busy()), patienceInMilliseconds)
  const settle = () => {
    clearTimeout(patience)
    signal.removeEventListener('abort', hangUp)
  }
  const end = (reason: unknown) => {
    settle()
    giveUp(reason)
  }
  signal.addEventListener('abort', hangUp, { once: true })
  return settle
}
