import { busy } from './places.ts'

/** The account or other party that bytes are counted for, and how many it may hold at once. */
export interface Share {
  readonly name: string
  readonly mostBytes: number
}

/** The memory held by one request: its body, a fetched picture, its response. */
export interface Lease {
  /** Checks that this many additional bytes would fit. @throws {Problem} overloaded (503) if they do not fit right now */
  expect(bytes: number): void
  /** Counts bytes that have arrived. @throws {Problem} overloaded (503) if they do not fit; they are then not counted */
  take(bytes: number): void
  /** Counts bytes that exist regardless of the budget, such as a response. */
  hold(bytes: number): void
  /** Releases everything. Further calls are no-ops. */
  free(): void
}

/** The bytes of bodies, fetched pictures and responses that a process holds at any one time. */
export interface ByteBudget {
  readonly mostBytes: number
  underWay(): number
  /** The number of refusals so far. */
  refused(): number
  /** Opens a request's lease. Its bytes count towards each of the shares and towards the process. */
  open(shares: readonly Share[]): Lease
}

/**
 * [Note: Bytes are counted as they come] Announced bytes do not occupy memory, so clients cannot fill the budget with
 * announcements. An announcement that would not fit is still refused immediately, before any of it is sent.
 */
export function createByteBudget(mostBytes: number): ByteBudget {
  const taken = new Map<string, number>()
  let ofProcess = 0
  let refused = 0
  const bytesOf = ({ name }: Share) => taken.get(name) ?? 0

  function add(share: Share, bytes: number): void {
    const now = bytesOf(share) + bytes
    if (now === 0) taken.delete(share.name)
    else taken.set(share.name, now)
  }

  return {
    mostBytes,
    underWay: () => ofProcess,
    refused: () => refused,
    open(shares) {
      let held = 0
      const fits = (bytes: number) =>
        ofProcess + bytes <= mostBytes && shares.every((share) => bytesOf(share) + bytes <= share.mostBytes)
      const expect = (bytes: number) => {
        if (fits(bytes)) return
        refused++
        throw busy()
      }
      const hold = (bytes: number) => {
        held += bytes
        ofProcess += bytes
        for (const share of shares) add(share, bytes)
      }
      return {
        expect,
        hold,
        take(bytes) {
          expect(bytes)
          hold(bytes)
        },
        free: () => hold(-held),
      }
    },
  }
}
