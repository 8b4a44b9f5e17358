import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from '@playwright/test'
import { parse } from 'csv-parse/sync'
import sharp from 'sharp'
import { type Action, actions } from '#shared/contract/sessions/session.ts'
import { type Clip, livenessSets, loadClip, type Segment, segmentsOf } from './clips.ts'

/** A person who can be filmed, and which actions they perform. */
export interface Person {
  readonly name: string
  readonly clip: Clip
  readonly actions: readonly Action[]
}

interface Row {
  readonly file: string
  readonly label: string
  readonly subject: string
}

/** The maximum length of a straight look. Anything longer would only fill up the page's memory. */
const longestSeconds = 5

/**
 * All living people in the sets who look straight ahead and perform at least one action. Clips of the same
 * person in the same size are joined.
 */
export async function loadPeople(browser: Browser): Promise<Person[]> {
  const people = new Map<string, Clip[]>()
  for (const name of (await readdir(livenessSets)).sort()) {
    const set = join(livenessSets, name)
    if (!existsSync(join(set, 'segments.csv'))) continue
    const labels: Row[] = parse(await readFile(join(set, 'labels.csv')), { columns: true })
    const acted = new Set((await segmentsOf(set)).map(({ file }) => file))
    for (const { file, subject } of labels.filter(({ label, file }) => label === 'live' && acted.has(file))) {
      const clip = await loadClip(browser, file, set).catch(() => undefined)
      if (clip !== undefined) people.set(subject, [...(people.get(subject) ?? []), shortened(clip)])
    }
  }
  const found = await Promise.all([...people].map(([name, clips]) => personOf(name, clips)))
  return found.filter(({ clip, actions: own }) => own.length > 0 && isActed(clip, 'frontal'))
}

async function personOf(name: string, clips: readonly Clip[]): Promise<Person> {
  const clip = await joined(name, clips)
  return { name, clip, actions: actions.filter((action) => isActed(clip, action)) }
}

function isActed({ segments }: Clip, what: string): boolean {
  return segments.some(({ action }) => action === what)
}

/** Keeps only the segments, in sequence. */
function shortened({ name, framesPerSecond, frames, segments }: Clip): Clip {
  const kept: string[] = []
  const moved = segments.map(({ action, startSeconds, endSeconds }): Segment => {
    const seconds = Math.min(endSeconds - startSeconds, longestSeconds)
    const first = Math.ceil(startSeconds * framesPerSecond)
    const own = frames.slice(first, first + Math.floor(seconds * framesPerSecond) + 1)
    const start = kept.length / framesPerSecond
    kept.push(...own)
    return { action, startSeconds: start, endSeconds: (kept.length - 1) / framesPerSecond }
  })
  return { name, framesPerSecond, frames: kept, segments: moved }
}

/** Joins clips of the same size as the first one. */
async function joined(name: string, clips: readonly Clip[]): Promise<Clip> {
  const { framesPerSecond } = clips[0]!
  const size = await sizeOf(clips[0]!)
  const frames: string[] = []
  const segments: Segment[] = []
  for (const clip of clips) {
    if ((await sizeOf(clip)) !== size) continue
    const later = frames.length / framesPerSecond
    frames.push(...clip.frames)
    for (const { action, startSeconds, endSeconds } of clip.segments)
      segments.push({ action, startSeconds: startSeconds + later, endSeconds: endSeconds + later })
  }
  return { name, framesPerSecond, frames, segments }
}

async function sizeOf({ frames }: Clip): Promise<string> {
  // From memory, because sharp cannot open files once the server's decoder has been loaded.
  const { width, height } = await sharp(await readFile(frames[0]!)).metadata()
  return `${width} x ${height}`
}
