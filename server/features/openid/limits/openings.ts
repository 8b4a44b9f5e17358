import type { IncomingMessage } from 'node:http'
import type { Adapter, KoaContextWithOIDC } from 'oidc-provider'

/** Counts what a request makes the provider store. Every method throws a {@link Problem} 429 if its limit is exceeded. */
export interface OpeningCounter {
  /** Counts a sign-in, or a pushed request from a client without a secret, by address. */
  countOpening(): Promise<void>
  /** Counts a pushed request from an authenticated client. */
  countPush(clientId: string): Promise<void>
  /** True for a pushed request's first use, across all processes. */
  isFirstUse(pushedId: string): Promise<boolean>
}

/** Connects requests to their counters, because the library calls an adapter without passing the request. */
export interface Openings {
  expect(req: IncomingMessage, counter: OpeningCounter): void
  /** An adapter that counts before it stores anything new. */
  counted(model: 'Interaction' | 'PushedAuthorizationRequest', adapter: Adapter): Adapter
}

/**
 * [Note: Counted where it is kept] A request that fails stores nothing, so it does not count as an opening. A sign-in counts
 * once: when its request is saved, or when a public client pushes it. Its session does not count again. Resuming a
 * sign-in from its own address, or using a pushed request a second time, starts another sign-in, which counts.
 */
export function createOpenings(currentContext: () => KoaContextWithOIDC | undefined): Openings {
  const counters = new WeakMap<IncomingMessage, OpeningCounter>()

  async function count(model: string): Promise<void> {
    const context = currentContext()
    const counter = context && counters.get(context.req)
    // A sign-in's end is saved outside a library request, and replaces an entry that was already counted.
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
