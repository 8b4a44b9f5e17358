import type { AccountCaller, AnonymousCaller } from '#server/features/callers/callers.ts'
import type { ConsoleCatalogue } from '#shared/contract/console/console-catalogue.ts'
import type { Handler } from '#shared/endpoint.ts'
import type { Member, SignIn } from './operator-records.ts'
import type { SignedInOperator } from './sign-ins.ts'

/** The browser that makes a console call. */
export interface Browser {
  /** A short description of the browser and system. */
  readonly device: string
  /** Sets the cookie, or removes it if undefined. */
  keepCookie(value: string | undefined): void
}

/** A caller who is not signed in. */
export interface Visitor extends AnonymousCaller {
  readonly browser: Browser
}

/** A signed-in operator. In the console's own calls, `accountId` is the live account; in all others, it is the environment's account. */
export interface ConsoleCaller extends AccountCaller {
  readonly via: 'operator'
  readonly member: Member
  readonly signIn: SignIn
  readonly known: SignedInOperator
  readonly browser: Browser
}

type CallerFor<A> = A extends 'none' ? Visitor : ConsoleCaller

/** The handlers for some of the console's calls, under their names in the contract. */
export type ConsoleHandlers<Name extends keyof ConsoleCatalogue = keyof ConsoleCatalogue> = {
  [N in Name]: Handler<ConsoleCatalogue[N], CallerFor<ConsoleCatalogue[N]['auth']>>
}
