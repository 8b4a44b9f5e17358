import type { AccountCaller, AnonymousCaller } from '#server/features/callers/callers.ts'
import type { ConsoleCatalogue } from '#shared/contract/console/console-catalogue.ts'
import type { Handler } from '#shared/endpoint.ts'
import type { Member, SignIn } from './operator-records.ts'
import type { Known } from './sign-ins.ts'

/** The browser that a call of the console comes from. */
export interface Browser {
  /** Short description of browser and system. */
  readonly device: string
  /** Sets the cookie; undefined removes it. */
  keepCookie(value: string | undefined): void
}

/** A caller who is not signed in. */
export interface Visitor extends AnonymousCaller {
  readonly browser: Browser
}

/** An operator who is signed in. For the console's own calls `accountId` is the live account, for all others that of the environment. */
export interface ConsoleCaller extends AccountCaller {
  readonly via: 'operator'
  readonly member: Member
  readonly signIn: SignIn
  readonly known: Known
  readonly browser: Browser
}

type CallerFor<A> = A extends 'none' ? Visitor : ConsoleCaller

/** The handlers of some calls of the console, under the names of the contract. */
export type ConsoleHandlers<Name extends keyof ConsoleCatalogue = keyof ConsoleCatalogue> = {
  [N in Name]: Handler<ConsoleCatalogue[N], CallerFor<ConsoleCatalogue[N]['auth']>>
}
