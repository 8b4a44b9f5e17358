import type { Catalogue } from '#shared/contract/catalogue.ts'
import type { Endpoint, Handler } from '#shared/endpoint.ts'
import type { Role } from '#shared/hosts.ts'
import type { CallerFor } from './accounts/caller.ts'
import type { Services } from './wiring.ts'

type HandlerOf<E> = E extends Endpoint ? Handler<E, CallerFor<E['auth']>> : never

/** Each role with a handler for each of its endpoints: one that is missing does not compile. */
export type Handlers = { [R in Role]: { [Name in keyof Catalogue[R]]: HandlerOf<Catalogue[R][Name]> } }

/** The product's routing table. */
export function handlersOf(services: Services): Handlers {
  const { signatures, verifications, tokenService, readyz, now } = services
  const { accountService, auditService, deletePerson } = services
  const { collections, faces } = services.recognition
  const healthz = async () => new Date(now()).toISOString()
  return {
    configuration: {
      healthz,
      readyz,
      createSignature: signatures.create,
      validateSignature: signatures.validate,
      getVerification: verifications.get,
      getAllVerifications: verifications.getAll,
      createVerification: verifications.create,
      createOrUpdateVerification: verifications.createOrUpdate,
      updateVerification: verifications.update,
      deleteVerification: verifications.remove,
      ...services.sessions,
      getAccount: accountService.get,
      updateAccount: accountService.update,
      getKeys: accountService.getKeys,
      createKey: accountService.createKey,
      revokeKey: accountService.revokeKey,
      setPrimaryKey: accountService.setPrimaryKey,
      rotateSigningKey: accountService.rotateSigningKey,
      rotateWebhookSecret: accountService.rotateWebhookSecret,
      getAuditLog: auditService.get,
      verifyAuditLog: auditService.verify,
      ...services.webhookService,
      deletePerson,
      ...services.kiosks,
    },
    security: { healthz, readyz, getToken: tokenService.get, getUtcNow: tokenService.utcNow },
    'face-recognition': {
      healthz,
      readyz,
      getCollection: collections.get,
      getAllCollections: collections.getAll,
      createCollection: collections.create,
      updateCollection: collections.update,
      deleteCollection: collections.remove,
      searchFace: faces.search,
      indexFace: faces.index,
      searchOrIndexFace: faces.searchOrIndex,
      deleteFace: faces.remove,
    },
    demographic: { healthz, readyz, ...services.demographics },
    'face-verification': { healthz, readyz, ...services.faceVerification },
    verify: { healthz, readyz, ...services.verify },
    'emotion-attention': { healthz, readyz, ...services.emotionAttention },
    liveness: { healthz, readyz, ...services.liveness },
  }
}
