import type { StepSubmission } from '#web/capture/machine/submissions.ts'

/**
 * Returns the part of a step that can still be sent. [Note: A step that was cut off starts again] If pictures waited for the network until
 * the step's time was over, they would count as late and cost the person their only repeat through no fault of
 * theirs. So the page asks for more time instead. If the pictures had arrived and only the answer was lost, the server
 * returns that answer to this request as well.
 */
export function timely(step: StepSubmission, now: number): StepSubmission {
  if (step.until === undefined || now <= step.until) return step
  return { step: step.step, frames: [], request: 'moreTime' }
}
