import { busy } from './places.ts'

/** Whose bytes they are, such as an account's, and how many it may hold at once. */
export interface Share {
  readonly name: string
  readonly mostBytes: number
}

/** What one request holds: its body, a picture that it has fetched, its answer. */
export interface Lease {
  /** Whether so many more may come. @throws {Problem} overloaded (503) where they would not fit just now */
  expect(bytes: number): void
  /** Counts bytes that came. @throws {Problem} overloaded (503) where they do not fit; they are not counted then */
  take(bytes: number): void
  /** Counts bytes that are there whatever the budget says, as an answer is. */
  hold(bytes: number): void
  /** Gives all of it back; once. */
  free(): void
}

/** The bytes that a process holds of bodies, fetched pictures and answers, all at once. */
export interface ByteBudget {
  readonly mostBytes: number
  underWay(): number
  /** How often something did not fit. */
  refused(): number
  /** Begins a request, whose bytes count for each of the shares and for the process. */
  open(shares: readonly Share[]): Lease
}

/**
 * [Note: Bytes are counted as they come] What is only announced takes no room, so nobody fills the budget with promises; an
 * announcement that would not fit is refused at once all the same, before any of it travels.
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
