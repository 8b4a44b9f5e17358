import type { PictureName } from './chosen-pictures.ts'

/** A stored picture with its try, its step and what it shows. */
export interface KeptPicture {
  readonly try: number
  readonly step: number
  readonly name: PictureName
  readonly bytes: Uint8Array
  /** How well it shows what was asked. Null or absent if every other picture from the step takes precedence. */
  readonly rank?: number | null
}

/** A film picture, with the device-reported milliseconds since the camera started. */
export interface FilmPicture {
  readonly try: number
  readonly time: number
  readonly bytes: Uint8Array
}

/** The pictures from one request, or from a whole visit. */
export interface EvidencePictures {
  readonly pictures: readonly KeptPicture[]
  readonly film: readonly FilmPicture[]
}

type SizedEntry<T> = Omit<T, 'bytes'> & { readonly size: number }
interface EvidenceList {
  readonly pictures: readonly SizedEntry<KeptPicture>[]
  readonly film: readonly SizedEntry<FilmPicture>[]
}

const lengthBytes = 4

/** Packs evidence into bytes: the length of a JSON list, the list, and then all pictures. */
export function pack({ pictures, film }: EvidencePictures): Buffer {
  const sized = <T extends { bytes: Uint8Array }>({ bytes, ...rest }: T) => ({ ...rest, size: bytes.length })
  const list = Buffer.from(JSON.stringify({ pictures: pictures.map(sized), film: film.map(sized) }))
  const length = Buffer.alloc(lengthBytes)
  length.writeUInt32BE(list.length)
  return Buffer.concat([length, list, ...[...pictures, ...film].map(({ bytes }) => bytes)])
}

/** @throws if `pack` did not create the bytes */
export function unpack(packed: Buffer): EvidencePictures {
  const listEnd = lengthBytes + packed.readUInt32BE(0)
  const { pictures, film } = JSON.parse(packed.subarray(lengthBytes, listEnd).toString()) as EvidenceList
  let at = listEnd
  const cut = <T extends { readonly size: number }>({ size, ...rest }: T) => {
    at += size
    return { ...rest, bytes: packed.subarray(at - size, at) }
  }
  return { pictures: pictures.map(cut), film: film.map(cut) } as EvidencePictures
}
