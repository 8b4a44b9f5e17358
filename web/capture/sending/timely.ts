import type { StepSubmission } from '#web/capture/machine/submissions.ts'

/**
 * The part of a step that can still be sent. [Note: A step that was cut off starts again] Pictures that waited for the network until
 * the step's time was over would count as late, which would cost the person their one repeat through no fault of
 * theirs. So the page asks for more time instead. If the pictures had arrived and only the answer was lost, the server
 * returns that answer to this request as well.
 */
export function timely(step: StepSubmission, now: number): StepSubmission {
  if (step.until === undefined || now <= step.until) return step
  return { step: step.step, frames: [], request: 'moreTime' }
}
