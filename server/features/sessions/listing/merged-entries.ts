import { type PastEntry, placeOf } from '#server/features/sessions/records/history-keys.ts'

interface Stream {
  readonly entries: AsyncGenerator<PastEntry>
  head: PastEntry
  place: string
}

/** Merges several indices' entries in list order, without duplicates. Requests each index's first entry in parallel. */
export async function* mergedEntries(
  indices: readonly AsyncGenerator<PastEntry>[],
): AsyncGenerator<PastEntry> {
  try {
    const heads = await Promise.all(indices.map(openStream))
    const streams = heads.filter((one) => one !== undefined).sort((a, b) => (a.place < b.place ? -1 : 1))
    let last = ''
    while (streams.length > 0) {
      const stream = streams.shift()!
      if (stream.place !== last) yield stream.head
      last = stream.place
      if (await advance(stream)) insert(streams, stream)
    }
  } finally {
    await Promise.all(indices.map((entries) => entries.return(undefined)))
  }
}

async function openStream(entries: AsyncGenerator<PastEntry>): Promise<Stream | undefined> {
  const { done, value } = await entries.next()
  return done === true ? undefined : { entries, head: value, place: placeOf(value) }
}

async function advance(stream: Stream): Promise<boolean> {
  const { done, value } = await stream.entries.next()
  if (done === true) return false
  stream.head = value
  stream.place = placeOf(value)
  return true
}

/** Inserts a stream in the order of its first entry. */
function insert(streams: Stream[], stream: Stream): void {
  let [low, high] = [0, streams.length]
  while (low < high) {
    const mid = (low + high) >> 1
    if (streams[mid]!.place < stream.place) low = mid + 1
    else high = mid
  }
  streams.splice(low, 0, stream)
}
