import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '#server/platform/store/store.ts'
import { packFrame, unpackFrames } from './frame-bytes.ts'
import type { AuditSegments, Frame, Split } from './segments.ts'

/** A segment that has reached it is followed by another one. */
const mostSegmentBytes = 4 * 2 ** 20
const oldestBytes = 2 ** 20
/** As far as the clocks of machines may be apart when a month begins. */
const monthsDifferByMilliseconds = 24 * 3600 * 1000
const digits = 16
const ending = '.segment'
/** Ids of accounts are our own; nothing else becomes the name of a folder. */
const fitForName = /^[\w-]{1,64}$/
const segmentName = /^\d{6}-(\d{16})-[\w-]+\.segment$/

/** A file of frames that follow each other. */
interface Segment {
  readonly name: string
  readonly path: string
  readonly first: number
}

/** The segment that this process adds to. */
interface Growing {
  readonly path: string
  readonly month: string
  readonly last: number
  readonly bytes: number
}

/**
 * Segments as files: a folder for each account; a file for each month, process and run of entries, named by month, first sequence and process, of 4 MiB.
 * [Note: Nobody else adds to a file] Processes may share the folder, on a network file system too: each adds to files of its own alone, and only while the
 * month of their names lasts. So a cut takes files of former months alone: nobody adds to them meanwhile.
 */
export function createFolderSegments(folder: string, now: Clock): AuditSegments {
  const writer = `${now().toString(36).padStart(9, '0')}${randomBytes(6).toString('hex')}`
  const growing = new Map<string, Growing>()
  const folderOf = (accountId: string) => {
    if (!fitForName.test(accountId)) throw new Error('An account id is none')
    return join(folder, accountId)
  }

  async function begin(accountId: string, { first }: Frame, month: string): Promise<Growing> {
    const own = folderOf(accountId)
    await mkdir(own, { recursive: true, mode: 0o700 })
    // Of a second segment from the same entry on the name differs, so that no file is written twice.
    const part = randomBytes(3).toString('hex')
    const name = `${month}-${String(first).padStart(digits, '0')}-${writer}-${part}${ending}`
    return { path: join(own, name), month, last: first - 1, bytes: 0 }
  }

  /** Where a frame goes: on in the segment of before, or to another one. */
  function goesOn(known: Growing | undefined, frame: Frame, month: string): boolean {
    if (known === undefined || known.month !== month || known.bytes >= mostSegmentBytes) return false
    return frame.kind === 'checkpoint' ? known.last === frame.last : known.last === frame.first - 1
  }

  async function append(accountId: string, frames: readonly Frame[]): Promise<void> {
    const month = monthOf(now())
    for (let at = 0; at < frames.length; ) {
      const known = growing.get(accountId)
      let segment = goesOn(known, frames[at]!, month) ? known! : await begin(accountId, frames[at]!, month)
      const isNew = segment.bytes === 0
      const lot: Buffer[] = []
      do {
        const frame = frames[at++]!
        const bytes = packFrame(frame)
        lot.push(bytes)
        segment = { ...segment, last: frame.last, bytes: segment.bytes + bytes.length }
      } while (at < frames.length && goesOn(segment, frames[at]!, month))
      // What fails may leave a part of a frame: nothing follows it in that file.
      growing.delete(accountId)
      await appendDurably(segment.path, Buffer.concat(lot), isNew ? folderOf(accountId) : undefined)
      growing.set(accountId, segment)
    }
  }

  async function segmentsOf(accountId: string): Promise<Segment[]> {
    const own = folderOf(accountId)
    const names = await readdir(own).catch(unlessAbsent)
    return names
      .filter((name) => segmentName.test(name))
      .map((name) => ({ name, path: join(own, name), first: Number(segmentName.exec(name)![1]) }))
      .sort((a, b) => a.first - b.first || (writerOf(a) < writerOf(b) ? -1 : 1))
  }

  /** Rewrites what is across a cut beside it, then takes the place of what was. */
  async function replace({ name, path }: Segment, accountId: string, kept: readonly Frame[]): Promise<void> {
    growing.delete(accountId)
    const [first] = kept
    if (first !== undefined) {
      const { path: next } = await begin(accountId, first, monthIn(name))
      await appendDurably(`${next}.part`, Buffer.concat(kept.map(packFrame)), undefined)
      await rename(`${next}.part`, next)
      await syncFolder(folderOf(accountId))
    }
    await rm(path, { force: true })
  }

  async function keep(
    accountId: string,
    isMeant: (segment: Segment) => boolean,
    stays: (frame: Frame) => Frame | undefined,
  ): Promise<void> {
    for (const segment of (await segmentsOf(accountId)).filter(isMeant)) {
      const frames = await framesIn(segment)
      const kept = frames.flatMap((frame) => stays(frame) ?? [])
      if (kept.length < frames.length || kept.some((frame, i) => frame !== frames[i]))
        await replace(segment, accountId, kept)
    }
  }

  return {
    append,
    async *ascending(accountId, after) {
      const segments = await segmentsOf(accountId)
      for (const segment of segments)
        for (const frame of await framesIn(segment)) if (frame.last > after) yield frame
    },
    async *descending(accountId, upTo) {
      for (const segment of (await segmentsOf(accountId)).reverse()) {
        if (segment.first > upTo) continue
        for (const frame of (await framesIn(segment)).reverse()) if (frame.first <= upTo) yield frame
      }
    },
    async oldest(accountId) {
      for (const { path } of await segmentsOf(accountId)) {
        const found = unpackFrames(await firstBytesOf(path)).find(({ kind }) => kind === 'entries')
        if (found !== undefined) return found
      }
      return undefined
    },
    async cut(accountId, through, split) {
      const thisMonth = monthOf(now() - monthsDifferByMilliseconds)
      const isOver = ({ name, first }: Segment) => monthIn(name) < thisMonth && first <= through
      await keep(accountId, isOver, (frame) => partBeyond(frame, through, split))
    },
    trim: (accountId, through, split) =>
      keep(
        accountId,
        () => true,
        (frame) => partUpTo(frame, through, split),
      ),
    async accounts() {
      const names = await readdir(folder, { withFileTypes: true }).catch(unlessAbsent)
      return names.filter((one) => one.isDirectory() && fitForName.test(one.name)).map(({ name }) => name)
    },
  }
}

/** A checkpoint at the cut itself stays: it says where what is left begins. */
function partBeyond(frame: Frame, through: number, split: Split): Frame | undefined {
  if (frame.kind === 'checkpoint') return frame.last >= through ? frame : undefined
  if (frame.last <= through) return undefined
  return frame.first > through ? frame : split(frame)
}

function partUpTo(frame: Frame, through: number, split: Split): Frame | undefined {
  if (frame.last <= through) return frame
  return frame.kind === 'checkpoint' || frame.first > through ? undefined : split(frame)
}

async function framesIn({ path }: Segment): Promise<Frame[]> {
  return unpackFrames(await readFile(path))
}

async function firstBytesOf(path: string): Promise<Buffer> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(oldestBytes), 0, oldestBytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** @param isNewIn the folder of a file that is new, which must know of it too */
async function appendDurably(path: string, bytes: Buffer, isNewIn: string | undefined): Promise<void> {
  const file = await open(path, 'a', 0o600)
  try {
    await file.appendFile(bytes)
    await file.datasync()
  } finally {
    await file.close()
  }
  if (isNewIn !== undefined) await syncFolder(isNewIn)
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  await folder.sync().finally(() => folder.close())
}

function monthOf(time: number): string {
  return new Date(time).toISOString().slice(0, 7).replace('-', '')
}

function monthIn(name: string): string {
  return name.slice(0, 6)
}

/** When the process that wrote it began, then its own. */
function writerOf({ name }: Segment): string {
  return name.slice(7 + digits + 1)
}

function unlessAbsent(error: unknown): never[] {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
  throw error
}
