import type { Catalogue } from '#shared/contract/catalogue.ts'
import type { Endpoint, Handler } from '#shared/endpoint.ts'
import type { Role } from '#shared/hosts.ts'
import type { CallerFor } from './caller.ts'

/** What answers an endpoint: it is called with what arrived, checked, and with whoever is allowed in. */
export type HandlerOf<E> = E extends Endpoint ? Handler<E, CallerFor<E['auth']>> : never

/** Each role with a handler for each of its endpoints. */
export type Handlers = { [R in Role]: { [Name in keyof Catalogue[R]]: HandlerOf<Catalogue[R][Name]> } }

type Names = { [R in Role]: keyof Catalogue[R] }[Role]
type Named<N extends Names> = { [R in Role]: N extends keyof Catalogue[R] ? Catalogue[R][N] : never }[Role]
type RequestOf<H> = H extends (request: infer Request) => unknown ? Request : never

/** Endpoints of which more than role and scope says who may call them: their permits are asked, too. */
export type PermittedByContent = {
  [R in Role]: {
    [N in keyof Catalogue[R]]: Catalogue[R][N] extends { permittedBy: 'content' } ? N : never
  }[keyof Catalogue[R]]
}[Role]

/**
 * Who may call some endpoints, as far as that depends on what is sent: asked before a repeat is answered. [Note: Permission comes first]
 * @throws {Problem} 403
 */
export type PermitsOf<Name extends PermittedByContent> = {
  readonly [N in Name]: (request: RequestOf<HandlerOf<Named<N>>>) => Promise<void>
}

/** The handlers of some endpoints of a role, under the names that the contract gives them. */
export type HandlersOf<R extends Role, Name extends keyof Catalogue[R]> = Pick<Handlers[R], Name>
