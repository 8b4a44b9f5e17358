import * as v from 'valibot'
import { text } from './common.ts'

/** The body of the event that is posted to `webhookConfig.eventCallbackUrl`. */
export const webhookEvent = v.object({
  event: v.pipe(v.literal('VerificationCompleted'), v.description('What happened; the only event there is.')),
  verificationSessionId: text('The session that is finished; get-session-result has the rest.'),
})
export type WebhookEvent = v.InferOutput<typeof webhookEvent>
