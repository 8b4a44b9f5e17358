import { createHmac } from 'node:crypto'
import type { AuditHead } from '#server/features/audit/chain.ts'
import { packFrame, unpackFrames } from '#server/features/audit/segments/frame-bytes.ts'
import type { Frame } from '#server/features/audit/segments/segments.ts'
import { sameSecret } from '#server/platform/crypto/constant-time.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import { tryOrUndefined } from '#server/platform/running/try-or-undefined.ts'
import type { ArchiveSource } from './archive-place.ts'

const title = 'Selfsame audit archive 1'
const mostHeadBytes = 4096

/** An archive's content: an account's entries after `from`, up to `to`. */
export interface ArchiveHead {
  readonly accountId: string
  /** The previous archive's last entry; sequence 0 in the first archive. */
  readonly from: AuditHead
  /** The last entry, which is followed by a checkpoint. */
  readonly to: AuditHead
  /** The log's sealed key, so that the archive can be verified with just the secret, without the store. */
  readonly sealedKey: string
}

/** An archive's bytes: a line with the format, a signed line that describes the content, then frames. */
export async function* archiveBytes(
  head: ArchiveHead,
  keyRing: KeyRing,
  frames: AsyncIterable<Frame>,
): AsyncGenerator<Buffer> {
  yield Buffer.from(`${title}\n${JSON.stringify({ ...head, mac: macOf(keyRing, head) })}\n`)
  for await (const frame of frames) yield packFrame(frame)
}

export interface OpenedArchive {
  readonly head: ArchiveHead
  /** Ends before a truncated frame. */
  frames(): AsyncIterable<Frame>
}

/** @throws an Error that says if it is not an archive, or its header was altered or belongs to another secret */
export async function openArchive(source: ArchiveSource, keyRing: KeyRing): Promise<OpenedArchive> {
  const start = await readFirstBytes(source)
  const [first, second] = start.toString('latin1').split('\n', 2)
  if (first !== title) throw new Error(`${source.called} is not an archive of an audit log.`)
  const head = tryOrUndefined(() => JSON.parse(second!) as ArchiveHead & { readonly mac: string })
  if (typeof head?.mac !== 'string' || !sameSecret(head.mac, macOf(keyRing, head)))
    throw new Error(`The header of ${source.called} was altered, or belongs to another secret.`)
  return { head, frames: () => framesOf(source, title.length + second!.length + 2) }
}

async function* framesOf(source: ArchiveSource, from: number): AsyncGenerator<Frame> {
  let left = Buffer.alloc(0)
  let behind = from
  for await (const chunk of source.read()) {
    const skipped = Math.min(behind, chunk.length)
    behind -= skipped
    left = Buffer.concat([left, chunk.subarray(skipped)])
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

async function readFirstBytes(source: ArchiveSource): Promise<Buffer> {
  let start = Buffer.alloc(0)
  for await (const chunk of source.read()) {
    start = Buffer.concat([start, chunk])
    if (start.length >= mostHeadBytes) break
  }
  return start.subarray(0, mostHeadBytes)
}

function macOf(keyRing: KeyRing, { accountId, from, to, sealedKey }: ArchiveHead): string {
  const content = JSON.stringify([accountId, from.sequence, from.hash, to.sequence, to.hash, sealedKey])
  return createHmac('sha256', keyRing.derive('audit-archive')).update(content).digest('base64url')
}
