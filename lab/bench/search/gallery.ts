import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { createPopulation, picturesOf, shuffled } from '#lab/evaluate/recognition/population.ts'
import type { Samples } from '#lab/evaluate/recognition/samples.ts'
import { randomNumbers } from '../../../shared/random-numbers.ts'

/** Faces that a search can be measured with, in a file: as large a gallery as it is long, and every prefix of it. */
export interface Gallery {
  readonly file: string
  readonly length: number
  /** Embeddings to look for: as many of people who are in it as of strangers. */
  readonly queries: readonly Float32Array[]
}

/** So many faces pass at once. */
const block = 1000

/**
 * Writes faces to a file, float32 one after the other: among the first thousands every person of the samples who has
 * several pictures (the others wait to be asked for), and else synthetic people. As many people with a single picture
 * are strangers. No picture is left out for being hard.
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

/** Every enrolled person is among so many. */
const smallest = 10_000

/** The first faces of a gallery, a block at a time. */
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
