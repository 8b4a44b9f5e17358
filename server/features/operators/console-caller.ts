import type { AccountCaller, AnonymousCaller } from '#server/features/callers/callers.ts'
import type { ConsoleCatalogue } from '#shared/contract/console/console-catalogue.ts'
import type { Handler } from '#shared/endpoint.ts'
import type { Member, SignIn } from './operator-records.ts'
import type { Known } from './sign-ins.ts'

/** The browser that a call of the console comes from. */
export interface Browser {
  /** Browser and system, in few words. */
  readonly device: string
  /** Sets the cookie; undefined removes it. */
  keepCookie(value: string | undefined): void
}

/** Somebody before the console's door. */
export interface Visitor extends AnonymousCaller {
  readonly browser: Browser
}

/** Who is signed in. For the console's own calls `accountId` is the live account, for all others that of the environment. */
export interface ConsoleCaller extends AccountCaller {
  readonly via: 'operator'
  readonly member: Member
  readonly signIn: SignIn
  readonly known: Known
  readonly browser: Browser
}

type CallerFor<A> = A extends 'none' ? Visitor : ConsoleCaller

/** The handlers of some calls of the console, under the names that the contract gives them. */
export type ConsoleHandlers<Name extends keyof ConsoleCatalogue = keyof ConsoleCatalogue> = {
  [N in Name]: Handler<ConsoleCatalogue[N], CallerFor<ConsoleCatalogue[N]['auth']>>
}
