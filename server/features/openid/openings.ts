import type { IncomingMessage } from 'node:http'
import type { Adapter, KoaContextWithOIDC } from 'oidc-provider'

/** Counts what a request makes the provider keep. Every method throws a {@link Problem} 429 if it is one too many. */
export interface OpeningCounter {
  /** A sign-in, or a pushed request of a client without a secret: it counts for the address it comes from. */
  countOpening(): Promise<void>
  /** A pushed request of a client that has shown its secret. */
  countPush(clientId: string): Promise<void>
  /** Whether a pushed request is used for the first time, as far as all processes know. */
  isFirstUse(pushedId: string): Promise<boolean>
}

/** Which counter a request is counted by, as the library calls an adapter without saying who asks. */
export interface Openings {
  expect(req: IncomingMessage, counter: OpeningCounter): void
  /** An adapter that counts before it keeps anything new. */
  counted(model: 'Interaction' | 'PushedAuthorizationRequest', adapter: Adapter): Adapter
}

/**
 * [Note: Counted where it is kept] A request that fails leaves nothing and is no opening. A sign-in counts once: the opening that its request,
 * or the pushed request of a public client, was counted as is also that of its session. A sign-in that is begun again from
 * its own address, or from a pushed request that was used before, is another one.
 */
export function createOpenings(currentContext: () => KoaContextWithOIDC | undefined): Openings {
  const counters = new WeakMap<IncomingMessage, OpeningCounter>()

  async function count(model: string): Promise<void> {
    const context = currentContext()
    const counter = context && counters.get(context.req)
    // What ends a sign-in is written outside of a request of the library, and replaces what was counted.
    if (context === undefined || counter === undefined) return
    const { client, entities } = context.oidc
    const isPublic = client?.clientAuthMethod === 'none'
    if (model === 'PushedAuthorizationRequest' && !isPublic) return counter.countPush(client!.clientId)
    const pushed = entities.PushedAuthorizationRequest
    const isCounted = isPublic && pushed !== undefined && (await counter.isFirstUse(pushed.jti))
    if (!isCounted) await counter.countOpening()
  }

  return {
    expect: (req, counter) => void counters.set(req, counter),
    counted: (model, adapter) => ({
      ...adapter,
      async upsert(id, payload, expiresInSeconds) {
        await count(model)
        return adapter.upsert(id, payload, expiresInSeconds)
      },
    }),
  }
}
