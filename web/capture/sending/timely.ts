import type { StepSubmission } from '#web/capture/machine/submissions.ts'

/**
 * What may still be sent of a step. [Note: A step that was cut off starts anew] Pictures that waited for a network until
 * the step's time was over would be judged as late, which costs the person the one repeat for what is no fault of
 * theirs. The page asks for more time instead. Where the pictures had arrived and only the answer got lost, the server
 * gives that answer to the request as well.
 */
export function timely(step: StepSubmission, now: number): StepSubmission {
  if (step.until === undefined || now <= step.until) return step
  return { step: step.step, frames: [], request: 'moreTime' }
}
