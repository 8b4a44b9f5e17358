import type { SessionRecord } from '#server/features/sessions/records/session-record.ts'
import type { Verifications } from '#server/features/verifications/verifications.ts'

/** The collections to which a session's face may be added: those that its verification denies, then or now. */
export async function denyCollectionsOf(
  verifications: Pick<Verifications, 'find'>,
  { accountId, verificationId, settings }: SessionRecord,
): Promise<string[]> {
  const verification =
    verificationId === null ? undefined : await verifications.find(accountId, verificationId)
  const { denyCollectionIds: now = [] } =
    verification?.verificationConfig.verifierConfigs?.faceRecognition ?? {}
  const { denyCollectionIds: then = [] } = settings.verifiers.faceRecognition ?? {}
  return [...new Set([...now, ...then])]
}
