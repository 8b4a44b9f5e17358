import type { Frame } from '#server/features/audit/segments/segments.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import { type ArchiveHead, archiveBytes } from './archive-file.ts'
import type { ArchivePlace, ArchiveSource } from './archive-place.ts'
import { verifyArchive } from './verify-archive.ts'

/**
 * Stores a verified archive and flushes it to disk. An existing archive from a killed run is verified and kept. Returns true
 * if the archive is new.
 * @throws an Error if it cannot be verified, or if an archive with that name is incomplete or has other content
 */
export async function placeArchive(
  place: ArchivePlace,
  name: string,
  head: ArchiveHead,
  keyRing: KeyRing,
  frames: AsyncIterable<Frame>,
): Promise<boolean> {
  const isNew = !(await place.names()).includes(name)
  if (isNew)
    await place.put(name, archiveBytes(head, keyRing, frames), (written) => verifyArchive(written, keyRing))
  else await proveSame(place.source(name), head, keyRing)
  await place.sync()
  return isNew
}

async function proveSame(source: ArchiveSource, { accountId, from, to }: ArchiveHead, keyRing: KeyRing) {
  const found = await verifyArchive(source, keyRing).catch((error: Error) => {
    throw new Error(`${error.message} Nothing was cut. Move it away and run it again.`)
  })
  const isSame =
    found.accountId === accountId && JSON.stringify([found.from, found.to]) === JSON.stringify([from, to])
  if (!isSame)
    throw new Error(
      `${source.called} exists already and has other content. Nothing was cut. Move it away and run it again.`,
    )
}
