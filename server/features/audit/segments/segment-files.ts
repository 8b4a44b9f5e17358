import { open, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '#server/platform/running/sync-folder.ts'
import { unpackFrames } from './frame-bytes.ts'
import type { Frame } from './segments.ts'

const oldestBytes = 2 ** 20
const digits = 16
const ending = '.segment'
/** Account IDs are generated here. No other text becomes a folder name. */
const fitForName = /^[\w-]{1,64}$/
const segmentName = /^\d{6}-(\d{16})-[\w-]+\.segment$/

/** A file with consecutive frames. */
export interface Segment {
  readonly name: string
  readonly path: string
  /** The sequence of its first entry. */
  readonly first: number
  /** When it was written, in the format of `monthOf`. */
  readonly month: string
}

/** An account's files, by first sequence, then by the start time of the process that wrote them. */
export async function segmentsIn(folder: string): Promise<Segment[]> {
  const names = await readdir(folder).catch(unlessAbsent)
  return names
    .filter((name) => segmentName.test(name))
    .map((name) => ({
      name,
      path: join(folder, name),
      first: Number(segmentName.exec(name)![1]),
      month: name.slice(0, 6),
    }))
    .sort((a, b) => a.first - b.first || (writerOf(a) < writerOf(b) ? -1 : 1))
}

/** @param writer names the process and the file, and sorts processes by start time */
export function nameOfSegment(month: string, first: number, writer: string): string {
  return `${month}-${String(first).padStart(digits, '0')}-${writer}${ending}`
}

/** Six digits: year and month, UTC. */
export function monthOf(time: number): string {
  return new Date(time).toISOString().slice(0, 7).replace('-', '')
}

/** An account's folder. @throws if the ID is not valid */
export function folderOfAccount(folder: string, accountId: string): string {
  if (!fitForName.test(accountId)) throw new Error('Not a valid account id')
  return join(folder, accountId)
}

export async function accountsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder, { withFileTypes: true }).catch(unlessAbsent)
  return names.filter((one) => one.isDirectory() && fitForName.test(one.name)).map(({ name }) => name)
}

export async function framesIn({ path }: Segment): Promise<Frame[]> {
  return unpackFrames(await readFile(path))
}

/** A file's first frames: at least one, unless the file is empty. */
export async function firstFramesIn({ path }: Segment): Promise<Frame[]> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(oldestBytes), 0, oldestBytes, 0)
    return unpackFrames(buffer.subarray(0, bytesRead))
  } finally {
    await file.close()
  }
}

/** Flushed to disk when it resolves. `isNewIn` is a new file's folder, which is flushed too. */
export async function appendDurably(path: string, bytes: Buffer, isNewIn?: string): Promise<void> {
  const file = await open(path, 'a', 0o600)
  try {
    await file.appendFile(bytes)
    await file.datasync()
  } finally {
    await file.close()
  }
  if (isNewIn !== undefined) await syncFolder(isNewIn)
}

/** The part of the name after the month and first sequence. */
function writerOf({ name }: Segment): string {
  return name.slice(8 + digits)
}

function unlessAbsent(error: unknown): never[] {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
  throw error
}
