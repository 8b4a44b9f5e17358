import { useEffect, useState } from 'preact/hooks'
import { mapConcurrent } from '#shared/concurrency/map-concurrent.ts'
import { useConsole } from '#web/console/core/console-context.ts'
import { useAccountKey } from '#web/console/core/use-account-data.ts'

/** Limits how many collections are counted, because each one takes a separate call. */
const mostCounted = 100
const atOnce = 4

/** The number of faces per collection; null if there are more than the server counts. */
export type Sizes = ReadonlyMap<string, number | null>

/** Loads each collection's size in a separate call. Collections that cannot be counted are left out. */
export function useSizes(collectionIds: readonly string[]): Sizes {
  const { calls } = useConsole()
  const [sizes, setSizes] = useState<Sizes>(new Map())
  const key = useAccountKey([collectionIds])
  useEffect(() => {
    let isGone = false
    const countOne = async (collectionId: string) => {
      if (isGone) return
      const found = await calls.recognition.getAllFaces({ collectionId, limit: 1 }).catch(() => undefined)
      if (found === undefined || isGone) return
      setSizes((before) => new Map(before).set(collectionId, found.faceCount))
    }
    void mapConcurrent(collectionIds.slice(0, mostCounted), atOnce, countOne)
    return () => {
      isGone = true
    }
  }, [key])
  return sizes
}
