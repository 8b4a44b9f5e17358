import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Settings } from '#server/app/settings.ts'
import type { Disk } from '#server/platform/telemetry/figures/readings.ts'

/** The disks that this process writes to, by purpose. A disk with two purposes is listed twice. */
export function disksOf({
  dataDir,
  upkeep,
}: Pick<Settings, 'dataDir' | 'upkeep'>): Readonly<Record<string, () => Promise<Disk>>> {
  const { journalFile } = upkeep
  return {
    data: () => readDisk(dataDir),
    ...(journalFile !== undefined && { journal: () => readDisk(dirname(journalFile)) }),
  }
}

async function readDisk(folder: string): Promise<Disk> {
  const { bsize, bavail, blocks } = await statfs(folder)
  return { free: bsize * bavail, size: bsize * blocks }
}
