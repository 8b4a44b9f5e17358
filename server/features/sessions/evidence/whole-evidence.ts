import { evidenceLimits } from '#server/features/sessions/records/evidence-limits.ts'
import type { EvidencePictures, FilmPicture, KeptPicture } from './packed-evidence.ts'

/**
 * Selects the evidence to keep from all of a visit's requests, in order. Pure. The last try comes first, then earlier tries as far as there is
 * room. Each step keeps its best picture and the first one that arrived after judging. The film comes from the last try that had one.
 */
export function wholeOf(parts: readonly EvidencePictures[]): EvidencePictures {
  const pictures = picturesOf(parts.flatMap((part) => part.pictures))
  const taken = pictures.reduce((sum, { bytes }) => sum + bytes.length, 0)
  const film = parts.flatMap((part) => part.film)
  const lastTry = Math.max(...film.map((one) => one.try))
  const last = film.filter((one) => one.try === lastTry).sort((a, b) => a.time - b.time)
  return { pictures, film: fitting(thinned(last), roomFor(pictures.length, taken)) }
}

function picturesOf(all: readonly KeptPicture[]): KeptPicture[] {
  const best = new Map<string, KeptPicture>()
  for (const picture of all) {
    const key = `${picture.try} ${picture.step}`
    const known = best.get(key)
    if (known === undefined || rankOf(picture) > rankOf(known)) best.set(key, picture)
  }
  const inOrder = [...best.values()].sort((a, b) => b.try - a.try || a.step - b.step)
  return inOrder.slice(0, evidenceLimits.pictures)
}

function rankOf({ rank }: KeptPicture): number {
  return rank ?? Number.NEGATIVE_INFINITY
}

/** Each picture takes about 60 bytes in the list, and sealing adds 28. */
function roomFor(pictures: number, taken: number): number {
  return evidenceLimits.bytes - taken - 100 * pictures - 1000
}

/** Thins the film to three pictures a second. */
export function thinned<T extends { readonly time: number }>(film: readonly T[]): T[] {
  const apart = 1000 / evidenceLimits.filmPerSecond
  const kept: T[] = []
  for (const picture of film) {
    const last = kept.at(-1)
    if (last === undefined || picture.time - last.time >= apart - 1) kept.push(picture)
  }
  return kept
}

/** Drops every second picture until the rest fits, so that the whole visit remains visible. */
function fitting(film: readonly FilmPicture[], room: number): FilmPicture[] {
  const bytes = film.reduce((sum, one) => sum + one.bytes.length + 60, 0)
  return bytes <= room
    ? [...film]
    : fitting(
        film.filter((_, i) => i % 2 === 0),
        room,
      )
}
