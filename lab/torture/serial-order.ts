/** An answered search-or-index call: the person, the time and the answer. */
export interface AnsweredCall {
  readonly person: number
  readonly start: number
  readonly end: number
  readonly source: 'Search' | 'Index'
  readonly faceId: string
}

/** How similar two people's faces are. It is always the same number for the same person. */
export type Likeness = (a: number, b: number) => number

/**
 * Finds an order in which a single process, one call after the other, would have given exactly these answers, and in
 * which no call comes before one that had ended when it began. A person who resembles another counts as that one if
 * that one came first, so people need not be strangers to each other.
 * @throws an Error that names the contradiction
 */
export function serialOrderOf(
  calls: readonly AnsweredCall[],
  likeness: Likeness,
  atLeast: number,
): readonly AnsweredCall[] {
  const indexed = calls.filter(({ source }) => source === 'Index')
  const indexOf = new Map(indexed.map((call) => [call.faceId, call]))
  if (indexOf.size < indexed.length) throw new Error('A face id was given twice.')
  const before = new Map<AnsweredCall, AnsweredCall[]>(calls.map((call) => [call, []]))
  for (const call of calls) {
    if (call.source === 'Index') continue
    const found = indexOf.get(call.faceId)
    if (found === undefined)
      throw new Error(`Person ${call.person} was found as a face that was never indexed.`)
    before.get(call)!.push(found)
    const reached = likeness(call.person, found.person)
    for (const other of indexed)
      if (likeness(call.person, other.person) > reached) before.get(other)!.push(call)
  }
  const order = ordered(calls, before)
  replay(order, likeness, atLeast)
  return order
}

/** An order that respects the required predecessors and the times. */
function ordered(
  calls: readonly AnsweredCall[],
  before: ReadonlyMap<AnsweredCall, readonly AnsweredCall[]>,
): AnsweredCall[] {
  const left = new Set([...calls].sort((a, b) => a.end - b.end))
  const order: AnsweredCall[] = []
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

/** The answers that a single process would have given. */
function replay(order: readonly AnsweredCall[], likeness: Likeness, atLeast: number): void {
  const faces: AnsweredCall[] = []
  for (const call of order) {
    const alike = faces.filter(({ person }) => likeness(call.person, person) >= atLeast)
    const [closest] = alike.sort((a, b) => likeness(call.person, b.person) - likeness(call.person, a.person))
    const expected = closest?.faceId ?? 'a new face'
    const given = call.source === 'Index' ? 'a new face' : call.faceId
    if (given !== expected) throw new Error(`Person ${call.person} was ${given}, and should be ${expected}.`)
    if (closest === undefined) faces.push(call)
  }
}
