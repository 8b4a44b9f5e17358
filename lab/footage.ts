import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { refuse } from '../build/usage.ts'
import { replayVideos } from '../e2e/support/acted/clips.ts'

/** Exits with an explanation if clips of acting people are missing. */
export function needFootage(...clips: readonly string[]): void {
  const missing = [...clips, 'segments.csv'].filter((file) => !existsSync(join(replayVideos, file)))
  if (missing.length === 0) return
  refuse(
    `${missing.join(' and ')} must be in ${replayVideos}: clips of people, labels.csv (file,label,subject) and ` +
      'segments.csv (file,action,startSeconds,endSeconds: the movement and its time).',
  )
}
