import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Frame } from '#server/features/audit/segments/segments.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import { removeAbandoned } from '#server/platform/running/remove-abandoned.ts'
import { syncFolder } from '#server/platform/running/sync-folder.ts'
import { type ArchiveHead, writeArchive } from './archive-file.ts'
import { verifyArchive } from './verify-archive.ts'

const unfinished = /\.audit\.[0-9a-f]{12}\.part$/
/** Nothing is written that slowly. */
const abandonedAfterMilliseconds = 3600_000

/**
 * Puts a proven archive in its place, on the disk when it resolves. [Note: A name means that it is whole] It is written and read back under a name of its own, so that neither
 * a run that is killed nor another one at the same time leaves a file of that name which is not whole. One that is there, from a run that was killed, is proven and stays.
 * Answers whether it is new.
 * @throws in words where it cannot be proven, or a file is there that is not whole or holds something else
 */
export async function placeArchive(
  path: string,
  head: ArchiveHead,
  keyRing: KeyRing,
  frames: AsyncIterable<Frame>,
): Promise<boolean> {
  const folder = dirname(path)
  const made = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (made !== undefined) await syncFolder(dirname(made))
  const isPart = (name: string) => name.startsWith(`${head.accountId}-`) && unfinished.test(name)
  await removeAbandoned(folder, isPart, abandonedAfterMilliseconds)
  const isNew = !existsSync(path)
  if (isNew) await writeProven(path, head, keyRing, frames)
  else await proveSame(path, head, keyRing)
  await syncFolder(folder)
  return isNew
}

async function writeProven(
  path: string,
  head: ArchiveHead,
  keyRing: KeyRing,
  frames: AsyncIterable<Frame>,
): Promise<void> {
  const part = `${path}.${randomBytes(6).toString('hex')}.part`
  await writeArchive(part, head, keyRing, frames)
  try {
    await verifyArchive(part, keyRing)
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

async function proveSame(path: string, { accountId, from, to }: ArchiveHead, keyRing: KeyRing) {
  const found = await verifyArchive(path, keyRing).catch((error: Error) => {
    throw new Error(`${error.message} Nothing was cut. Move that file away and run it again.`)
  })
  const isSame =
    found.accountId === accountId && JSON.stringify([found.from, found.to]) === JSON.stringify([from, to])
  if (!isSame)
    throw new Error(
      `${path} is there already and holds something else. Nothing was cut. Move it away and run it again.`,
    )
}
