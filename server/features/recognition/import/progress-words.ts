import type { ImportProgress } from '#shared/picture-import/import-progress.ts'

export function progressWords({ done, total, perSecond, secondsLeft }: ImportProgress): string {
  const share = total === 0 ? 100 : Math.floor((100 * done) / total)
  const left = secondsLeft === undefined ? '' : `, ${timeWords(secondsLeft)} left`
  return `${done} of ${total} (${share} %), ${perSecond.toFixed(1)} a second${left}`
}

function timeWords(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  return seconds < 5400 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`
}
