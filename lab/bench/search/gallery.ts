import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { createPopulation, picturesOf, shuffled } from '#lab/evaluate/recognition/population.ts'
import type { Samples } from '#lab/evaluate/recognition/samples.ts'
import { randomNumbers } from '../../../shared/random-numbers.ts'

/** A file of faces to search. Each of its prefixes is a smaller gallery. */
export interface Gallery {
  readonly file: string
  readonly length: number
  /** The embeddings to search for. Half of them are of people in the gallery, and half are of strangers. */
  readonly queries: readonly Float32Array[]
}

/** The number of faces per read or write. */
const block = 1000

/**
 * Writes faces to a file as consecutive float32 vectors. All people in the samples with several pictures are among the first thousands (their last
 * picture becomes a query), and the rest are synthetic people. An equal number of people with only one picture are the strangers. Difficult pictures
 * are not left out.
 */
export async function writeGallery(
  file: string,
  samples: Samples,
  size: number,
  seed: number,
): Promise<Gallery> {
  const { length, embeddings } = samples
  const picture = (i: number) => embeddings.slice(i * length, (i + 1) * length)
  const pictures = picturesOf(samples)
  const order = shuffled(samples.personCount, randomNumbers(seed)).map((person) => pictures[person]!)
  const enrolled = order.filter((own) => own.length > 1)
  const strangers = order.filter((own) => own.length === 1).slice(0, enrolled.length)
  const every = Math.max(1, Math.floor(Math.min(size, smallest) / enrolled.length))

  const population = createPopulation(samples, seed)
  const out = createWriteStream(file)
  for (let first = 0; first < size; first += block) {
    const faces = new Float32Array(Math.min(block, size - first) * length)
    for (let i = 0; i * length < faces.length; i++) {
      const own = (first + i) % every === 0 ? enrolled[(first + i) / every] : undefined
      if (own === undefined) population.draw(faces, i * length)
      else faces.set(picture(own[0]!), i * length)
    }
    if (!out.write(new Uint8Array(faces.buffer))) await once(out, 'drain')
  }
  out.end()
  await once(out, 'close')
  return {
    file,
    length,
    queries: [...enrolled.map((own) => picture(own.at(-1)!)), ...strangers.map(([only]) => picture(only!))],
  }
}

/** All enrolled people are among the first 10,000. */
const smallest = 10_000

/** A gallery's first faces, one block at a time. */
export async function* blocksOf(file: string, length: number, size: number): AsyncIterable<Float32Array> {
  const bytesPerBlock = block * length * Float32Array.BYTES_PER_ELEMENT
  const end = size * length * Float32Array.BYTES_PER_ELEMENT - 1
  let pending: Buffer[] = []
  let held = 0
  for await (const chunk of createReadStream(file, { end, highWaterMark: bytesPerBlock })) {
    pending.push(chunk as Buffer)
    held += (chunk as Buffer).length
    if (held < bytesPerBlock) continue
    const all = Buffer.concat(pending)
    const whole = all.length - (all.length % bytesPerBlock)
    for (let at = 0; at < whole; at += bytesPerBlock) yield floatsOf(all.subarray(at, at + bytesPerBlock))
    pending = [all.subarray(whole)]
    held = all.length - whole
  }
  if (held > 0) yield floatsOf(Buffer.concat(pending))
}

function floatsOf(bytes: Buffer): Float32Array {
  return new Float32Array(Uint8Array.from(bytes).buffer)
}
