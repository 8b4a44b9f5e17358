import { FileFault } from '#server/platform/sealed-files/file-fault.ts'
import { openSealedFile, writeSealedFile } from '#server/platform/sealed-files/sealed-file.ts'
import type { Region } from '#shared/hosts.ts'

/** A backup's header. */
export interface BackupHead {
  readonly backup: 1
  readonly program: string
  readonly format: number
  readonly leastReader: number
  readonly region: Region
  /** A digest of the journal's last line when the backup began; absent without a journal, and from backups made by 0.2.0. */
  readonly journalLine?: string
}

/** A backup's trailer. */
export interface BackupEnd {
  /** The moment that the backup captures, in milliseconds since 1970. */
  readonly takenAt: number
  readonly entries: number
}

/** A stored entry. A later entry replaces an earlier one with the same key. */
export interface BackupEntry {
  readonly key: string
  /** Undefined if the entry had been removed by the moment that the backup captures. */
  readonly value: Uint8Array | undefined
  /** Milliseconds since 1970. */
  readonly expiresAt: number | undefined
}

const mostBatchBytes = 2 ** 20
const keyLengthBytes = 2
const fixedBytes = keyLengthBytes + 8 + 4
const gone = 0xffff_ffff

/** Writes a new file, sealed with a passphrase. Only one batch of entries is in memory at a time. */
export async function writeBackup(
  path: string,
  passphrase: string,
  head: BackupHead,
  entries: AsyncIterable<BackupEntry>,
  takenAt: () => number,
): Promise<BackupEnd> {
  let written = 0
  await writeSealedFile(path, passphrase, async (chunk) => {
    await chunk(json(head))
    let batch: Buffer[] = []
    let bytes = 0
    for await (const entry of entries) {
      const packed = packEntry(entry)
      if (bytes + packed.length > mostBatchBytes && batch.length > 0) {
        await chunk(Buffer.concat(batch))
        batch = []
        bytes = 0
      }
      batch.push(packed)
      bytes += packed.length
      written++
    }
    if (batch.length > 0) await chunk(Buffer.concat(batch))
    return json({ takenAt: takenAt(), entries: written } satisfies BackupEnd)
  })
  return { takenAt: takenAt(), entries: written }
}

/**
 * Reads a complete backup, passes on each batch, and returns the trailer.
 * @throws {FileFault} if the file is not a backup, is incomplete or was altered
 */
export async function readBackup(
  path: string,
  passphrase: string,
  onHead: (head: BackupHead) => void,
  onBatch: (batch: readonly BackupEntry[]) => Promise<void>,
): Promise<BackupEnd> {
  let isFirst = true
  for await (const { content, isLast } of (await openSealedFile(path, passphrase)).chunks()) {
    if (isFirst) onHead(headOf(content))
    else if (isLast) return JSON.parse(content.toString()) as BackupEnd
    else await onBatch([...unpackEntries(content)])
    isFirst = false
  }
  throw new FileFault('The file is truncated.')
}

function headOf(content: Buffer): BackupHead {
  const head = JSON.parse(content.toString()) as Partial<BackupHead>
  if (head.backup !== 1) throw new FileFault('This is not a backup, or a later version wrote it.')
  return head as BackupHead
}

/** The key's length and text, the expiry (0 for none), and the value's length and bytes. */
function packEntry({ key, value, expiresAt = 0 }: BackupEntry): Buffer {
  const name = Buffer.from(key)
  const head = Buffer.alloc(fixedBytes)
  head.writeUInt16BE(name.length)
  head.writeDoubleBE(expiresAt, keyLengthBytes)
  head.writeUInt32BE(value?.length ?? gone, fixedBytes - 4)
  return Buffer.concat([head, name, value ?? Buffer.alloc(0)])
}

function* unpackEntries(batch: Buffer): Generator<BackupEntry> {
  for (let at = 0; at < batch.length; ) {
    const nameEnd = at + fixedBytes + batch.readUInt16BE(at)
    const length = batch.readUInt32BE(at + fixedBytes - 4)
    const key = batch.toString('utf8', at + fixedBytes, nameEnd)
    const end = nameEnd + (length === gone ? 0 : length)
    const value = length === gone ? undefined : batch.subarray(nameEnd, end)
    yield { key, value, expiresAt: batch.readDoubleBE(at + keyLengthBytes) || undefined }
    at = end
  }
}

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value))
}
