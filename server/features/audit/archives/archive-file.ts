import { createHmac } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import type { AuditHead } from '#server/features/audit/log/chain.ts'
import { packFrame, unpackFrames } from '#server/features/audit/segments/frame-bytes.ts'
import type { Frame } from '#server/features/audit/segments/segments.ts'
import { sameSecret } from '#server/platform/crypto/constant-time.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import { tryOrUndefined } from '#server/platform/running/try-or-undefined.ts'

const title = 'Selfsame audit archive 1'
const mostHeadBytes = 4096

/** What an archive holds: the entries of an account behind one and up to another. */
export interface ArchiveHead {
  readonly accountId: string
  /** The last entry of the archive before; sequence 0 in the first one. */
  readonly from: AuditHead
  /** The last entry, where a checkpoint stands. */
  readonly to: AuditHead
  /** The key of the log, sealed: the archive is proven with the secret alone, without the store. */
  readonly sealedKey: string
}

/**
 * Writes a new file: a line that says what it is, one of what it holds, signed, then frames. On the disk when it resolves; what fails leaves no file.
 * @throws where there is a file already
 */
export async function writeArchive(
  path: string,
  head: ArchiveHead,
  keyRing: KeyRing,
  frames: AsyncIterable<Frame>,
): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.appendFile(`${title}\n${JSON.stringify({ ...head, mac: macOf(keyRing, head) })}\n`)
    for await (const frame of frames) await file.appendFile(packFrame(frame))
    await file.sync()
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await file.close()
  }
}

export interface OpenedArchive {
  readonly head: ArchiveHead
  /** Ends before what was cut short. */
  frames(): AsyncIterable<Frame>
}

/** @throws in words where it is no archive, or its head was altered or is of another secret */
export async function openArchive(path: string, keyRing: KeyRing): Promise<OpenedArchive> {
  const start = await firstBytesOf(path)
  const [first, second] = start.toString('latin1').split('\n', 2)
  if (first !== title) throw new Error(`${path} is no archive of an audit log.`)
  const head = tryOrUndefined(() => JSON.parse(second!) as ArchiveHead & { readonly mac: string })
  if (typeof head?.mac !== 'string' || !sameSecret(head.mac, macOf(keyRing, head)))
    throw new Error(`What ${path} says of itself was altered, or is of another secret.`)
  return { head, frames: () => framesOf(path, title.length + second!.length + 2) }
}

async function* framesOf(path: string, from: number): AsyncGenerator<Frame> {
  let left = Buffer.alloc(0)
  for await (const chunk of createReadStream(path, { start: from, highWaterMark: 2 ** 20 })) {
    left = Buffer.concat([left, chunk as Buffer])
    let used = 0
    for (const frame of unpackFrames(left)) {
      used += packedBytes(frame)
      yield frame
    }
    left = left.subarray(used)
  }
}

function packedBytes({ content }: Frame): number {
  return (
    packFrame({ kind: 'entries', first: 0, last: 0, time: 0, content: Buffer.alloc(0) }).length +
    content.length
  )
}

async function firstBytesOf(path: string): Promise<Buffer> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new Error(`There is no file ${path}.`) : error
  })
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(mostHeadBytes), 0, mostHeadBytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

function macOf(keyRing: KeyRing, { accountId, from, to, sealedKey }: ArchiveHead): string {
  const content = JSON.stringify([accountId, from.sequence, from.hash, to.sequence, to.hash, sealedKey])
  return createHmac('sha256', keyRing.derive('audit-archive')).update(content).digest('base64url')
}
