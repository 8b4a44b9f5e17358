import type { AuditSegments, Frame } from './segments.ts'

/**
 * Reads segments from two places as one log, and appends to the first. [Note: A log moves while servers run] A deployment
 * that moves to rows still has its earlier segments in a folder. Nothing is missing before the move, and a frame in both
 * places counts once.
 */
export function joinSegments(kept: AuditSegments, earlier: AuditSegments): AuditSegments {
  return {
    append: kept.append,
    ascending: (accountId, after) =>
      merge(
        kept.ascending(accountId, after),
        earlier.ascending(accountId, after),
        (one, other) => one.first <= other.first,
      ),
    descending: (accountId, upTo) =>
      merge(
        kept.descending(accountId, upTo),
        earlier.descending(accountId, upTo),
        (one, other) => one.first >= other.first,
      ),
    async oldest(accountId) {
      const [one, other] = await Promise.all([kept.oldest(accountId), earlier.oldest(accountId)])
      if (one === undefined || other === undefined) return one ?? other
      return one.first <= other.first ? one : other
    },
    async requireCut() {
      await kept.requireCut()
      await earlier.requireCut()
    },
    async cut(accountId, through, split) {
      await kept.cut(accountId, through, split)
      await earlier.cut(accountId, through, split)
    },
    async trim(accountId, through, split) {
      await kept.trim(accountId, through, split)
      await earlier.trim(accountId, through, split)
    },
    accounts: async () => [...new Set([...(await kept.accounts()), ...(await earlier.accounts())])],
  }
}

/** Merges two sorted sequences. */
async function* merge(
  one: AsyncIterable<Frame>,
  other: AsyncIterable<Frame>,
  isInOrder: (one: Frame, other: Frame) => boolean,
): AsyncGenerator<Frame> {
  const [ones, others] = [one[Symbol.asyncIterator](), other[Symbol.asyncIterator]()]
  try {
    let [next, nextOther] = [await ones.next(), await others.next()]
    while (!next.done || !nextOther.done) {
      if (!next.done && (nextOther.done || isInOrder(next.value, nextOther.value))) {
        yield next.value
        next = await ones.next()
      } else if (!nextOther.done) {
        yield nextOther.value
        nextOther = await others.next()
      }
    }
  } finally {
    // A reader that stops early also ends both reads.
    await Promise.all([ones.return?.(), others.return?.()])
  }
}
