import type { EmbeddingModel } from '#models/rules/embedding.ts'
import { createGalleryCodes, type GalleryCodes, type NearQuery } from './gallery-codes.ts'
import type { GalleryState } from './gallery-rows.ts'
import { codesBetween, type NearCodes } from './near-rows.ts'
import type { Partition } from './partition.ts'

/**
 * Cache of codes in this process. [Note: Codes are cached] A server takes a tenth of a second of one core to scan a million
 * codes, and every search needs that; this process takes a hundredth. So a gallery that is being searched is also loaded
 * here while its server still answers. From then on a search reads the newer codes and scans by itself. Numbers only
 * increase and the code of a number never changes. Matches are still opened from the server's rows, so removed faces are
 * never found, and the cache returns nothing that the server would not.
 */
export interface CodeCache {
  /**
   * A gallery's near codes, as its server would return them; undefined if they are not cached, or not yet.
   * @throws {Problem} search_incomplete
   */
  near(partition: Partition, gallery: CodedGallery, query: NearQuery): Promise<NearCodes | undefined>
}

/** One model's codes in a gallery. */
export interface CodedGallery {
  readonly state: GalleryState
  readonly model: EmbeddingModel
  /** How many of the gallery's faces used this model when it was read. */
  readonly count: number
}

interface Options {
  /** The limit for all galleries together. The least recently searched ones are dropped. */
  readonly mostCodes: number
  /** Galleries smaller than this are left to their server. */
  readonly leastCodes?: number
  readonly now: () => number
}

interface CachedCodes {
  readonly codes: GalleryCodes
  readonly expected: number
  isWhole: boolean
  /** The time when it became complete. */
  since: number
  usedAt: number
  /** The loading step in progress. */
  step?: Promise<void> | undefined
}

/** A server scans this many codes within a millisecond. */
const usualLeast = 10_000
/** Rows per read, 76 bytes each. */
const takenAtOnce = 50_000
/** If codes for removed faces are cached, everything is reloaded after this time. */
const staleForMilliseconds = 10 * 60_000
/** Galleries that have not been searched for this long are dropped. */
const unusedForMilliseconds = 30 * 60_000

export function createCodeCache({ mostCodes, leastCodes = usualLeast, now }: Options): CodeCache {
  /** Ordered from least to most recently searched. */
  const galleries = new Map<string, CachedCodes>()

  function makeRoom(codes: number): void {
    let total = codes
    for (const held of galleries.values()) total += roomOf(held)
    for (const [name, held] of galleries) {
      if (total <= mostCodes && now() - held.usedAt < unusedForMilliseconds) continue
      total -= roomOf(held)
      galleries.delete(name)
    }
  }
  function take(name: string, partition: Partition, { state, model, count }: CodedGallery): void {
    makeRoom(count)
    const codes = createGalleryCodes(model)
    const held: CachedCodes = { codes, expected: count, isWhole: false, since: now(), usedAt: now() }
    galleries.set(name, held)
    const isKept = () => galleries.get(name) === held
    void catchUp(held, partition, state.id, model, state.lastSequence, isKept)
      .then(() => Object.assign(held, { isWhole: true, since: now() }))
      .catch(() => isKept() && galleries.delete(name))
  }

  return {
    async near(partition, gallery, query) {
      const { state, model, count } = gallery
      if (count < leastCodes || count > mostCodes) return undefined
      const name = `${partition.place}/${state.madeAs}/${state.id}/${model}`
      const held = galleries.get(name)
      if (held === undefined) take(name, partition, gallery)
      if (!held?.isWhole) return undefined
      galleries.delete(name)
      galleries.set(name, Object.assign(held, { usedAt: now() }))
      await catchUp(held, partition, state.id, model, query.until)
      if (held.codes.count > held.expected) makeRoom(0)
      if (isRight(held, gallery, now())) return held.codes.near(query)
      galleries.delete(name)
      return undefined
    },
  }
}

function roomOf({ codes, expected }: CachedCodes): number {
  return Math.max(codes.count, expected)
}

/** Reads the codes after the cached ones, one step at a time. Concurrent callers share a step. */
async function catchUp(
  held: CachedCodes,
  partition: Partition,
  gallery: number,
  model: EmbeddingModel,
  until: number,
  isWanted = () => true,
): Promise<void> {
  const { codes } = held
  while (codes.until < until) {
    if (!isWanted()) throw new Error('Dropped meanwhile')
    held.step ??= takeIn(codes, partition, gallery, model, until).finally(() => {
      held.step = undefined
    })
    await held.step
  }
}

async function takeIn(
  codes: GalleryCodes,
  partition: Partition,
  gallery: number,
  model: EmbeddingModel,
  until: number,
): Promise<void> {
  const last = Math.min(until, codes.until + takenAtOnce)
  codes.add(await codesBetween(partition, gallery, model, codes.until, last), last)
}

/** True if the number of cached codes matches the gallery. For a while, the cache may contain codes for removed faces. */
function isRight({ codes, since }: CachedCodes, { state, count }: CodedGallery, now: number): boolean {
  if (codes.until !== state.lastSequence || codes.count === count) return true
  return codes.count > count && now - since < staleForMilliseconds
}
