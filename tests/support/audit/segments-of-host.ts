import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createFolderSegments } from '#server/features/audit/segments/folder-segments.ts'
import { createSealedFrames } from '#server/features/audit/segments/sealed-frames.ts'
import type { Frame } from '#server/features/audit/segments/segments.ts'
import { createKeyRing } from '#server/platform/crypto/key-ring.ts'
import { allOf } from '#server/platform/store/all-of.ts'
import { auditDirOf, type Host } from '../host.ts'

/** Opens and seals frames like a host with the default key ring. */
export const hostFrames = createSealedFrames(createKeyRing(Buffer.alloc(32, 7), 'EU'))

/** The frames of a host's account, as they are in its segments. */
export async function framesOf({ store, accountId }: Pick<Host, 'store' | 'accountId'>): Promise<Frame[]> {
  return allOf(createFolderSegments(await auditDirOf(store), Date.now).ascending(accountId, 0))
}

/** Replaces the frames, as an attacker with access to the folder can. */
export async function putFrames(
  { store, accountId }: Pick<Host, 'store' | 'accountId'>,
  frames: readonly Frame[],
): Promise<void> {
  const folder = await auditDirOf(store)
  await rm(join(folder, accountId), { recursive: true, force: true })
  if (frames.length > 0) await createFolderSegments(folder, Date.now).append(accountId, frames)
}

/** The files of a host's account, by path. */
export async function segmentFilesOf({ store, accountId }: Pick<Host, 'store' | 'accountId'>) {
  const folder = join(await auditDirOf(store), accountId)
  return (await readdir(folder)).sort().map((name) => join(folder, name))
}
