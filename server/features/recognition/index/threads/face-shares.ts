import { idBytes } from '#server/features/recognition/store/face-id.ts'
import { threadFor } from './record-shares.ts'
import type { Order, PackedFaces } from './wire.ts'

/** A face on its way to a thread. */
export interface OutgoingFace {
  /** 16 random bytes. */
  readonly id: Uint8Array
  readonly externalId: string | null
  /** A unit vector. */
  readonly vector: Float32Array
}

/** An order, and the buffers to transfer with it. */
interface PackedOrder {
  readonly order: Order
  readonly buffers: readonly ArrayBuffer[]
}

/** The orders for each thread that receives some of the faces, by thread index. */
export function packedShares(
  given: readonly OutgoingFace[],
  threads: number,
  collection: number,
): Map<number, PackedOrder> {
  const shares = new Map<number, PackedOrder>()
  for (let place = 0; place < threads; place++) {
    const its = given.filter(({ id }) => threadFor(id[3]!, threads) === place)
    if (its.length > 0) shares.set(place, packed(collection, its))
  }
  return shares
}

function packed(collection: number, given: readonly OutgoingFace[]): PackedOrder {
  const { length } = given[0]!.vector
  const ids = new Uint8Array(given.length * idBytes)
  const vectors = new Float32Array(given.length * length)
  for (const [i, { id, vector }] of given.entries()) {
    ids.set(id, i * idBytes)
    vectors.set(vector, i * length)
  }
  const externalIds = given.map(({ externalId }) => externalId)
  const faces: PackedFaces = { ids, externalIds, vectors }
  return { order: { kind: 'add', collection, faces }, buffers: [ids.buffer, vectors.buffer] }
}
