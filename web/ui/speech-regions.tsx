import type { Speech } from './speech.ts'

/** The page's live regions. */
export function SpeechRegions({ speech }: { speech: Speech }) {
  return (
    <>
      <div class="unseen" role="status" aria-live="polite">
        {speech.polite.value}
      </div>
      <div class="unseen" role="alert" aria-live="assertive">
        {speech.assertive.value}
      </div>
    </>
  )
}
