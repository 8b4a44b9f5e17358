/** A search-or-index call that was answered: of whose face, when, and what it was told. */
export interface Answered {
  readonly person: number
  readonly start: number
  readonly end: number
  readonly source: 'Search' | 'Index'
  readonly faceId: string
}

/** How alike the faces of two people are; the same number for the same person. */
export type Likeness = (a: number, b: number) => number

/**
 * Finds an order in which one process alone, one call after the other, would have given these very answers, and in which
 * no call stands before one that was over when it began. Whoever looks like somebody else counts as that one where
 * that one came first: people need not be strangers to each other.
 * @throws naming what no order allows
 */
export function serialOrderOf(
  calls: readonly Answered[],
  likeness: Likeness,
  atLeast: number,
): readonly Answered[] {
  const indexed = calls.filter(({ source }) => source === 'Index')
  const indexOf = new Map(indexed.map((call) => [call.faceId, call]))
  if (indexOf.size < indexed.length) throw new Error('A face id was given twice.')
  const before = new Map<Answered, Answered[]>(calls.map((call) => [call, []]))
  for (const call of calls) {
    if (call.source === 'Index') continue
    const found = indexOf.get(call.faceId)
    if (found === undefined) throw new Error(`Person ${call.person} was found as a face that nobody indexed.`)
    before.get(call)!.push(found)
    const reached = likeness(call.person, found.person)
    for (const other of indexed)
      if (likeness(call.person, other.person) > reached) before.get(other)!.push(call)
  }
  const order = ordered(calls, before)
  replay(order, likeness, atLeast)
  return order
}

/** Any order that keeps to what must stand before each, and to the time. */
function ordered(calls: readonly Answered[], before: ReadonlyMap<Answered, readonly Answered[]>): Answered[] {
  const left = new Set([...calls].sort((a, b) => a.end - b.end))
  const order: Answered[] = []
  while (left.size > 0) {
    const [earliest] = left
    const next = [...left].find(
      (call) => call.start <= earliest!.end && before.get(call)!.every((other) => !left.has(other)),
    )
    if (next === undefined) throw new Error(`No serial order has a place for person ${earliest!.person}.`)
    left.delete(next)
    order.push(next)
  }
  return order
}

/** What one process would have answered. */
function replay(order: readonly Answered[], likeness: Likeness, atLeast: number): void {
  const faces: Answered[] = []
  for (const call of order) {
    const alike = faces.filter(({ person }) => likeness(call.person, person) >= atLeast)
    const [closest] = alike.sort((a, b) => likeness(call.person, b.person) - likeness(call.person, a.person))
    const expected = closest?.faceId ?? 'a new face'
    const given = call.source === 'Index' ? 'a new face' : call.faceId
    if (given !== expected) throw new Error(`Person ${call.person} was ${given}, and should be ${expected}.`)
    if (closest === undefined) faces.push(call)
  }
}
