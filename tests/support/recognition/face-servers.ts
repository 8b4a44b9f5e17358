import { createPartition } from '#server/features/recognition/index/postgres/partition.ts'
import type { FaceServers } from '#server/features/recognition/recognition.ts'

/** Opens the servers at these addresses as a face index, and closes them again. */
export function openFaceServers(
  addresses: readonly string[],
  tag: string,
  onInexact: () => void = () => undefined,
  codeCache?: FaceServers['codeCache'],
): { readonly servers: FaceServers; close(): Promise<void> } {
  const partitions = addresses.map((address, i) =>
    createPartition(
      address,
      { place: i + 1, places: addresses.length },
      { tag, namedBy: 'INDEX_SERVERS', onFailure: () => undefined },
    ),
  )
  return {
    servers: { partitions, codeCache, onInexact },
    async close() {
      for (const partition of partitions) await partition.close()
    },
  }
}
