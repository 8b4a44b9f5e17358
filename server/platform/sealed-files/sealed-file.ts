import { type FileHandle, open } from 'node:fs/promises'
import { tryOrUndefined } from '#server/platform/running/try-or-undefined.ts'
import { FileFault } from './file-fault.ts'
import { deriveFileKey, headerBytes, newFileKey } from './file-key.ts'
import { writeNewFile } from './new-file.ts'
import { openChunk, sealChunk } from './sealed-chunks.ts'

const lengthBytes = 4
/** Far larger than any chunk that is ever written. If the length is greater, the file was altered. */
const mostChunkBytes = 2 ** 24

/**
 * Writes a new file, readable only by its owner, from the chunks that `write` emits. Its return value is the last chunk. The
 * file gets its name once it is complete.
 * @throws {FileFault} like `writeNewFile`
 */
export async function writeSealedFile(
  path: string,
  passphrase: string,
  write: (chunk: (content: Uint8Array) => Promise<void>) => Promise<Uint8Array>,
): Promise<void> {
  await writeNewFile(path, async (file) => {
    const { header, key } = await newFileKey(passphrase)
    let number = 0
    const append = (content: Uint8Array, isLast: boolean) => {
      const sealed = sealChunk(key, header, { number: number++, isLast }, content)
      const length = Buffer.alloc(lengthBytes)
      length.writeUInt32BE(sealed.length)
      return writeAll(file, Buffer.concat([length, sealed]))
    }
    await writeAll(file, header)
    await append(await write((content) => append(content, false)), true)
  })
}

/** A file that was opened with the correct passphrase. */
export interface SealedFile {
  /**
   * The chunks from first to last. Only one is in memory at a time.
   * @throws {FileFault} if the file is incomplete or was altered
   */
  chunks(): AsyncGenerator<Chunk>
}

interface Chunk {
  readonly content: Buffer
  readonly isLast: boolean
}

/** @throws {FileFault} if the file does not exist or the passphrase is wrong */
export async function openSealedFile(path: string, passphrase: string): Promise<SealedFile> {
  const { header, key } = await withFile(path, async (file) =>
    deriveFileKey(passphrase, await readUpTo(file, headerBytes)),
  )

  async function* chunks(): AsyncGenerator<Chunk> {
    const file = await openFile(path)
    try {
      await readUpTo(file, headerBytes)
      for (let number = 0, isLast = false; !isLast; number++) {
        const opened = tryPlaces(key, header, number, await nextChunk(file))
        isLast = opened.isLast
        yield opened
      }
      if ((await readUpTo(file, 1)).length === 0) return
      throw new FileFault('The file was altered: there are bytes after its end.')
    } finally {
      await file.close()
    }
  }

  return { chunks }
}

async function withFile<T>(path: string, work: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await openFile(path)
  try {
    return await work(file)
  } finally {
    await file.close()
  }
}

async function nextChunk(file: FileHandle): Promise<Buffer> {
  const length = await readUpTo(file, lengthBytes)
  if (length.length < lengthBytes) throw cutOff()
  const bytes = length.readUInt32BE()
  if (bytes > mostChunkBytes) throw altered()
  const sealed = await readUpTo(file, bytes)
  if (sealed.length < bytes) throw cutOff()
  return sealed
}

/** Tries to open the chunk as one in the middle, then as the last one. */
function tryPlaces(key: Buffer, header: Buffer, number: number, sealed: Buffer): Chunk {
  for (const isLast of [false, true]) {
    const content = tryOrUndefined(() => openChunk(key, header, { number, isLast }, sealed))
    if (content !== undefined) return { content, isLast }
  }
  throw altered()
}

function cutOff(): FileFault {
  return new FileFault('The file is truncated.')
}

function altered(): FileFault {
  return new FileFault('The file was altered, or its parts are out of order.')
}

/** The requested number of bytes, or fewer at the end of the file. */
async function readUpTo(file: FileHandle, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return bytes.subarray(0, filled)
}

async function writeAll(file: FileHandle, bytes: Buffer): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    written += (await file.write(bytes, written, bytes.length - written)).bytesWritten
  }
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new FileFault(`There is no file at ${path}.`)
    throw error
  }
}
