import type { EmbeddingModel } from '#models/rules/embedding.ts'
import type { Among, RowHit } from './face-rows.ts'

/** What a thread is asked to do, in order. `collection` is a number of ours for one open collection. */
export type Order =
  | { readonly kind: 'add'; readonly collection: number; readonly faces: PackedFaces }
  | {
      readonly kind: 'addRecords'
      readonly collection: number
      readonly records: PackedRecords
      /** What is taken: vectors of this model that show enough of a person. */
      readonly model: EmbeddingModel
      /** Of the collection: what the records are sealed with. */
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
  /** Answered when all before it is done; `thoroughly` when nothing is being learnt any more, too. */
  | (Ask & { readonly kind: 'settle'; readonly thoroughly: boolean })

interface Ask {
  readonly collection: number
  readonly ask: number
}

/** Faces one behind the other: ids of 16 bytes, vectors of one length. */
export interface PackedFaces {
  readonly ids: Uint8Array
  readonly externalIds: readonly (string | null)[]
  readonly vectors: Float32Array
}

/** Records of faces as they stand in the store, one behind the other, in room of their own. */
export interface PackedRecords {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Where each ends. */
  readonly ends: Uint32Array<ArrayBuffer>
}

/** What is handed over with records. */
export function buffersOf({ bytes, ends }: PackedRecords): readonly ArrayBuffer[] {
  return [bytes.buffer, ends.buffer]
}

/** What a thread answers. */
export type Answer =
  | {
      readonly ask: number
      readonly size: number
      readonly compared?: number
      readonly found?: readonly RowHit[]
      readonly has?: boolean
    }
  /** A record that cannot be opened, is of another model, or shows too little of a person; reported before what was asked after it is answered. */
  | { readonly collection: number; readonly refused: Uint8Array }
  /** Records that were taken: their room may be filled again. */
  | { readonly collection: number; readonly emptied: PackedRecords }
  /** What it was given cannot be held, `isFull` as there is no room for it; the collection cannot be searched any more. */
  | { readonly collection: number; readonly failure: string; readonly isFull?: boolean }

/** What a thread is started with. */
export interface SearchThreadData {
  /** Of every vector. */
  readonly length: number
  /** What its memory may grow to, in pages of 64 KiB; as far as addresses go where absent. */
  readonly mostPages?: number | undefined
}
