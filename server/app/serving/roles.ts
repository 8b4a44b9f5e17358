import type { Services } from '#server/app/compose.ts'
import type { Handlers } from '#server/features/callers/callers.ts'

/** The product's routing table. An endpoint without its handler does not compile. */
export function handlersOf(services: Services): Handlers {
  const { readyz, now } = services
  const everywhere = { healthz: async () => new Date(now()).toISOString(), readyz }
  return {
    configuration: {
      ...everywhere,
      ...services.signatures,
      ...services.verifications,
      ...services.sessions,
      ...services.accountService,
      ...services.auditService,
      ...services.requestService,
      ...services.webhookService,
      ...services.endpointService,
      ...services.attention.handlers,
      ...services.kiosks,
      ...services.openid.clients,
      deletePerson: services.deletePerson,
      exportPerson: services.exportPerson,
      resetPasskeys: services.resetPasskeys,
    },
    security: { ...everywhere, ...services.tokenService },
    'face-recognition': {
      ...everywhere,
      ...services.recognition.collections,
      ...services.recognition.faces,
      ...services.recognition.enrolledFaces,
      ...services.recognition.candidates,
    },
    demographic: { ...everywhere, ...services.demographics },
    'face-verification': { ...everywhere, ...services.faceVerification },
    verify: { ...everywhere, ...services.verify },
    'emotion-attention': { ...everywhere, ...services.emotionAttention },
    liveness: { ...everywhere, ...services.liveness },
  }
}
