import * as v from 'valibot'

/** The body of the event that is posted to `webhookConfig.eventCallbackUrl`. */
export const webhookEvent = v.object({
  event: v.literal('VerificationCompleted'),
  verificationSessionId: v.string(),
})
export type WebhookEvent = v.InferOutput<typeof webhookEvent>
