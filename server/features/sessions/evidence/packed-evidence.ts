import type { PictureName } from './chosen-pictures.ts'

/** A stored picture with its try, step and content. */
export interface KeptPicture {
  readonly try: number
  readonly step: number
  readonly name: PictureName
  readonly bytes: Uint8Array
}

/** A picture of the film, with the milliseconds since the camera started as reported by the device. */
export interface FilmPicture {
  readonly try: number
  readonly time: number
  readonly bytes: Uint8Array
}

/** The pictures of one request of a visit, or of all. */
export interface Evidence {
  readonly pictures: readonly KeptPicture[]
  readonly film: readonly FilmPicture[]
}

type Sized<T> = Omit<T, 'bytes'> & { readonly size: number }
interface Contents {
  readonly pictures: readonly Sized<KeptPicture>[]
  readonly film: readonly Sized<FilmPicture>[]
}

const lengthBytes = 4

/** As bytes: the length of a JSON list, the list, and all pictures in sequence. */
export function pack({ pictures, film }: Evidence): Buffer {
  const sized = <T extends { bytes: Uint8Array }>({ bytes, ...rest }: T) => ({ ...rest, size: bytes.length })
  const list = Buffer.from(JSON.stringify({ pictures: pictures.map(sized), film: film.map(sized) }))
  const length = Buffer.alloc(lengthBytes)
  length.writeUInt32BE(list.length)
  return Buffer.concat([length, list, ...[...pictures, ...film].map(({ bytes }) => bytes)])
}

/** @throws on bytes that `pack` did not create */
export function unpack(packed: Buffer): Evidence {
  const listEnd = lengthBytes + packed.readUInt32BE(0)
  const { pictures, film } = JSON.parse(packed.subarray(lengthBytes, listEnd).toString()) as Contents
  let at = listEnd
  const cut = <T extends { readonly size: number }>({ size, ...rest }: T) => {
    at += size
    return { ...rest, bytes: packed.subarray(at - size, at) }
  }
  return { pictures: pictures.map(cut), film: film.map(cut) } as Evidence
}
