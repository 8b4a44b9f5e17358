import type { Among, RowHit } from './face-rows.ts'

/** Orders to a thread, executed in sequence. `collection` is a number for one open collection. */
export type Order =
  | { readonly kind: 'add'; readonly collection: number; readonly faces: PackedFaces }
  | {
      readonly kind: 'addRecords'
      readonly collection: number
      readonly records: PackedRecords
      /** Only vectors of this model are accepted. */
      readonly model: string
      /** The key of the collection that seals the records. */
      readonly key: Uint8Array
    }
  | { readonly kind: 'remove'; readonly collection: number; readonly ids: Uint8Array }
  | { readonly kind: 'close'; readonly collection: number }
  | (Ask & {
      readonly kind: 'search'
      readonly vector: Float32Array
      readonly atLeast: number
      readonly most: number
      readonly among?: Among
      readonly perPerson?: boolean
    })
  | (Ask & { readonly kind: 'hasExternalId'; readonly externalId: string })
  /** Answered when everything before it is done; with `thoroughly`, also when learning has finished. */
  | (Ask & { readonly kind: 'settle'; readonly thoroughly: boolean })

interface Ask {
  readonly collection: number
  readonly ask: number
}

/** Consecutive faces: ids of 16 bytes, vectors of one length. */
export interface PackedFaces {
  readonly ids: Uint8Array
  readonly externalIds: readonly (string | null)[]
  readonly vectors: Float32Array
}

/** Consecutive stored records of faces, in a separate buffer. */
export interface PackedRecords {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** End offset of each. */
  readonly ends: Uint32Array<ArrayBuffer>
}

/** The buffers to transfer with records. */
export function buffersOf({ bytes, ends }: PackedRecords): readonly ArrayBuffer[] {
  return [bytes.buffer, ends.buffer]
}

/** Answers of a thread. */
export type Answer =
  | {
      readonly ask: number
      readonly size: number
      readonly compared?: number
      readonly found?: readonly RowHit[]
      readonly has?: boolean
    }
  /** A record that cannot be opened, or is of another model; reported before the answer to any later order. */
  | { readonly collection: number; readonly refused: Uint8Array }
  /** The buffer of accepted records, which may be filled again. */
  | { readonly collection: number; readonly emptied: PackedRecords }
  /** The faces cannot be held, `isFull` if there is no room; the collection can no longer be searched. */
  | { readonly collection: number; readonly failure: string; readonly isFull?: boolean }

/** Startup data of a thread. */
export interface SearchThreadData {
  /** Of every vector. */
  readonly length: number
  /** Limit of its memory, in pages of 64 KiB; the address space if absent. */
  readonly mostPages?: number | undefined
}
