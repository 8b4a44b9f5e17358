import type { Adapter, AdapterPayload } from 'oidc-provider'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import { inPassing, type Store, type Write } from '#server/platform/store/store.ts'
import { createTable, type Table } from '#server/platform/store/tables.ts'
import { transact } from '#server/platform/store/transaction.ts'
import type { Environment } from '#shared/contract/environment.ts'
import { lifetimes } from './lifetimes.ts'
import type { NamedEntities } from './named-entities.ts'
import type { CommitParts } from './visit-store.ts'

const use = 'openid-entity'

/** The location of a grant's entity, so that it can be revoked. */
interface Member {
  readonly model: string
  readonly sealedId: string
}

/** Thrown for an entity that was already consumed: if two requests use it at once, the second one gets this error. */
export class AlreadyConsumed extends Error {
  constructor() {
    super('It was consumed already.')
    this.name = 'AlreadyConsumed'
  }
}

/** The visit that a pushed request led to. */
export interface PushedVisit {
  /** Id of the sign-in. */
  readonly uid: string
  /** The same for every sign-in that one browser makes for this request. */
  readonly browser: string
}

/** Stores codes, tokens and requests. */
export type EntityStore = (model: string) => Adapter & {
  /** Removes an erased person's entity, so that no restore brings it back. */
  erase(id: string): Promise<void>
  /**
   * The writes and guards for the commit that begins a visit. Undefined if the request no longer exists, or has already begun
   * another browser's visit.
   */
  beginning(id: string, visit: PushedVisit): Promise<CommitParts | undefined>
}

/**
 * Stores the provider's entities, separately for each issuer. [Note: A token is no key of the store] Keys are digests and
 * values are sealed, so the store reveals no usable code or token.
 */
export function createEntityStore(
  store: Store,
  keyRing: KeyRing,
  environment: Environment,
  { naming }: Pick<NamedEntities, 'naming'>,
): EntityStore {
  const entities = createTable<string>(store, use)
  const sealing = createSealing(keyRing, environment)
  const { placeOf, seal, open } = sealing
  const members = createGrantMembers(store, keyRing, environment, sealing)
  const beginning = createBeginning(entities, sealing)

  return (model) => ({
    async upsert(id, payload, expiresInSeconds) {
      const sealed = seal(model, id, payload)
      const keptSeconds = keptFor(model, expiresInSeconds)
      const writes: Write[] = [entities.write(placeOf(model), id, sealed, keptSeconds)]
      if (namers.has(model)) writes.push(...(await naming({ environment, model, id }, payload, keptSeconds)))
      if (payload.grantId !== undefined)
        writes.push(members.write(payload.grantId, { model, id }, expiresInSeconds))
      await store.commit(writes, [])
    },
    async find(id) {
      const sealed = await entities.get(placeOf(model), id)
      return sealed === undefined ? undefined : open(model, id, sealed)
    },
    /** [Note: Consumed once] Guarded by the record as it was read, so the second of two concurrent uses fails. */
    async consume(id) {
      await transact(
        store,
        async (transaction) => {
          const sealed = await transaction.read(entities, placeOf(model), id)
          const payload = sealed === undefined ? undefined : open(model, id, sealed)
          if (payload === undefined || payload.consumed) throw new AlreadyConsumed()
          const consumed = seal(model, id, { ...payload, consumed: secondsNow() })
          transaction.put(entities, placeOf(model), id, consumed, keptFor(model, secondsLeft(payload)))
          return true
        },
        () => new AlreadyConsumed(),
      )
    },
    async destroy(id) {
      const removal = entities.write(placeOf(model), id, undefined)
      // The library removes an interaction when its sign-in continues. Everything else that it destroys has been revoked.
      await store.commit([model === 'Interaction' ? inPassing(removal) : removal], [])
    },
    erase: (id) => entities.remove(placeOf(model), id),
    beginning: (id, visit) => beginning(model, id, visit),
    async revokeByGrantId(grantId) {
      const writes: Write[] = []
      for await (const { model, id } of members.list(grantId))
        writes.push(entities.write(placeOf(model), id, undefined), members.remove(grantId, { model, id }))
      if (writes.length > 0) await store.commit(writes, [])
    },
    // Device codes and provider sessions are not used.
    findByUserCode: async () => undefined,
    findByUid: async () => undefined,
  })
}

/**
 * [Note: A pushed request has one visit] The record is guarded as it was read, so if two browsers use the request at once,
 * only one begins the visit.
 */
function createBeginning(
  entities: Table<string>,
  { placeOf, seal, open }: Pick<ReturnType<typeof createSealing>, 'placeOf' | 'seal' | 'open'>,
) {
  return async (model: string, id: string, visit: PushedVisit): Promise<CommitParts | undefined> => {
    const read = await entities.read(placeOf(model), id)
    if (read === undefined) return undefined
    const payload = open(model, id, read.value)
    const before = visitOf(payload)
    if (payload.consumed) return undefined
    if (before !== undefined && before.browser !== visit.browser) return undefined
    const begun = seal(model, id, { ...payload, visit })
    const seconds = keptFor(model, secondsLeft(payload))
    return { writes: [entities.write(placeOf(model), id, begun, seconds)], guards: [read.guard] }
  }
}

interface EntityName {
  readonly model: string
  readonly id: string
}

/** Lists a grant's entities so that all of them can be revoked. IDs are sealed, because they are codes and tokens. */
function createGrantMembers(
  store: Store,
  keyRing: KeyRing,
  environment: Environment,
  { contextOf }: Pick<ReturnType<typeof createSealing>, 'contextOf'>,
) {
  const kind = 'openid-grant-member'
  const members = createTable<Member>(store, kind)
  const placeOf = (grantId: string) => `${environment}/${grantId}`
  return {
    write(grantId: string, { model, id }: EntityName, expiresInSeconds: number | undefined): Write {
      const sealedId = keyRing.seal(kind, grantId, Buffer.from(id))
      return members.write(placeOf(grantId), contextOf(model, id), { model, sealedId }, expiresInSeconds)
    },
    remove: (grantId: string, { model, id }: EntityName): Write =>
      members.write(placeOf(grantId), contextOf(model, id), undefined),
    async *list(grantId: string): AsyncGenerator<EntityName> {
      for await (const { model, sealedId } of members.list(placeOf(grantId)))
        yield { model, id: keyRing.open(kind, grantId, sealedId).toString() }
    },
  }
}

/** Determines an entity's key, and seals the entity to that key. */
function createSealing(keyRing: KeyRing, environment: Environment) {
  const placeOf = (model: string) => `${environment}/${model}`
  const contextOf = (model: string, id: string) => `${placeOf(model)}/${id}`
  return {
    placeOf,
    contextOf,
    seal: (model: string, id: string, payload: AdapterPayload) =>
      keyRing.seal(use, contextOf(model, id), Buffer.from(JSON.stringify(payload))),
    open: (model: string, id: string, sealed: string) =>
      JSON.parse(keyRing.open(use, contextOf(model, id), sealed).toString()) as AdapterPayload,
  }
}

/** A pushed request's visit, as written by `beginning`. */
export function visitOf(payload: AdapterPayload): PushedVisit | undefined {
  return (payload as { readonly visit?: PushedVisit }).visit
}

function secondsNow(): number {
  return Math.floor(Date.now() / 1000)
}

function secondsLeft({ exp = 0 }: AdapterPayload): number {
  return Math.max(1, exp - secondsNow())
}

/** Models that carry a request's parameters. */
const namers: ReadonlySet<string> = new Set(['Interaction', 'PushedAuthorizationRequest'])

/** [Note: A pushed request is used once] It is consumed when the person returns, so it is stored for as long as that may take. */
function keptFor(model: string, expiresInSeconds: number | undefined): number | undefined {
  if (expiresInSeconds === undefined || model !== 'PushedAuthorizationRequest') return expiresInSeconds
  return expiresInSeconds + lifetimes.Interaction
}
