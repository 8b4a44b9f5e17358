import type { PersonFilter } from '#server/features/recognition/index/person-filter.ts'
import type { RowMatch } from './face-rows.ts'

/** Orders to a thread, executed in sequence. `collection` is a number that identifies one open collection. */
export type Order =
  | { readonly kind: 'add'; readonly collection: number; readonly faces: PackedFaces }
  | {
      readonly kind: 'addRecords'
      readonly collection: number
      readonly records: PackedRecords
      /** Only this model's vectors are accepted. */
      readonly model: string
      /** The key with which the collection seals its records. */
      readonly key: Uint8Array
    }
  | { readonly kind: 'remove'; readonly collection: number; readonly ids: Uint8Array }
  | { readonly kind: 'close'; readonly collection: number }
  | (NumberedOrder & {
      readonly kind: 'search'
      readonly vector: Float32Array
      readonly atLeast: number
      readonly most: number
      readonly filter?: PersonFilter
      readonly perPerson?: boolean
    })
  | (NumberedOrder & { readonly kind: 'hasExternalId'; readonly externalId: string })
  /** Answered when everything before it is done; with `thoroughly`, also when learning has finished. */
  | (NumberedOrder & { readonly kind: 'settle'; readonly thoroughly: boolean })

interface NumberedOrder {
  readonly collection: number
  readonly ask: number
}

/** Faces, one after another: 16-byte IDs and vectors of the same length. */
export interface PackedFaces {
  readonly ids: Uint8Array
  readonly externalIds: readonly (string | null)[]
  readonly vectors: Float32Array
}

/** Stored face records, one after another, in a separate buffer. */
export interface PackedRecords {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The end offset of each record. */
  readonly ends: Uint32Array<ArrayBuffer>
}

/** The buffers to transfer with the records. */
export function buffersOf({ bytes, ends }: PackedRecords): readonly ArrayBuffer[] {
  return [bytes.buffer, ends.buffer]
}

/** A thread's answers. */
export type Answer =
  | {
      readonly ask: number
      readonly size: number
      readonly compared?: number
      readonly found?: readonly RowMatch[]
      readonly has?: boolean
    }
  /** A record that cannot be opened, or belongs to another model. It is reported before the answer to any later order. */
  | { readonly collection: number; readonly refused: Uint8Array }
  /** The buffer of accepted records, which may be filled again. */
  | { readonly collection: number; readonly emptied: PackedRecords }
  /** The faces cannot be held; `isFull` if there is no room. The collection can no longer be searched. */
  | { readonly collection: number; readonly failure: string; readonly isFull?: boolean }

/** A thread's startup data. */
export interface SearchThreadData {
  /** The length of every vector. */
  readonly length: number
  /** The thread's memory limit, in pages of 64 KiB; defaults to the whole address space. */
  readonly mostPages?: number | undefined
}
