import type { Settings } from '#server/app/settings.ts'
import type { StoreFill } from '#server/features/attention/attention.ts'
import type { OpenedStore } from '#server/platform/store/open-store.ts'
import { disksOf } from './disk.ts'

/** How full the store is: a Redis server by its memory limit, any other by the disk of DATA_DIR if it is stored there. */
export async function storeFillOf(
  { bytes, mostBytes, traits, writes }: Pick<OpenedStore, 'bytes' | 'mostBytes' | 'traits' | 'writes'>,
  settings: Pick<Settings, 'dataDir' | 'upkeep'>,
): Promise<StoreFill> {
  const isRefusing = writes.trouble() !== undefined
  const most = await mostBytes()
  if (most !== undefined && most > 0) return { share: (await bytes()) / most, isRefusing }
  if (traits !== undefined) return { share: undefined, isRefusing }
  const { free, size } = await disksOf(settings).data!()
  return { share: size === 0 ? undefined : 1 - free / size, isRefusing }
}
