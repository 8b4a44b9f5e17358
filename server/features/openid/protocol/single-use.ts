import type { Adapter } from 'oidc-provider'
import { AlreadyConsumed, type EntityStore, visitOf } from '#server/features/openid/adapter.ts'

type Library = typeof import('oidc-provider')

/** [Note: A code works once] A second use, whether concurrent or later, revokes the first one's tokens. */
export function codesOnce(entities: EntityStore, { errors }: Library): Adapter {
  const codes = entities('AuthorizationCode')
  return {
    ...codes,
    async consume(id: string) {
      try {
        await codes.consume(id)
      } catch (error) {
        if (!(error instanceof AlreadyConsumed)) throw error
        const { grantId } = (await codes.find(id)) ?? {}
        if (grantId !== undefined) await endGrant(entities, grantId)
        throw new errors.InvalidGrant('authorization code already consumed')
      }
    },
  }
}

async function endGrant(entities: EntityStore, grantId: string): Promise<void> {
  await entities('AuthorizationCode').revokeByGrantId(grantId)
  await entities('Grant').destroy(grantId)
}

/**
 * Pushed requests as the library sees them. A request with a visit appears consumed when a browser comes with its
 * `request_uri`, while the end of the visit still finds the request and consumes it for good.
 */
export function pushedOnce(entities: EntityStore, { errors, Provider }: Library): Adapter {
  const pushed = entities('PushedAuthorizationRequest')
  return {
    ...pushed,
    async find(id: string) {
      const payload = await pushed.find(id)
      if (!payload || visitOf(payload) === undefined) return payload
      return Provider.ctx?.oidc.route === 'authorization' ? { ...payload, consumed: true } : payload
    },
    consume: (id: string) =>
      pushed.consume(id).catch((error: unknown) => {
        throw error instanceof AlreadyConsumed
          ? new errors.InvalidRequestUri('request_uri was already used')
          : error
      }),
  }
}
