import type { Administration } from '#server/app/administration.ts'
import type { Account } from '#server/features/callers/account.ts'
import type { AccountCaller } from '#server/features/callers/caller.ts'
import type { CollectionAccess } from '#server/features/recognition/collection-access.ts'
import type { Arguments, Endpoint, Handler, ResultOf } from '#shared/endpoint.ts'
import type { SessionDesk } from './session-desk.ts'

/** The words of a command are wrong. */
export class UsageError extends Error {}

/** What a command works with. */
export interface Context {
  readonly administration: Administration
  readonly access: CollectionAccess
  readonly desk: SessionDesk
  /** Where the console is. */
  readonly consoleOrigin: string
  readonly secretStandsIn: 'SECRET' | 'file'
  /** Makes the secret in use the only one that opens the store. */
  reseal(): Promise<void>
  /** The word after the command, where it takes one. */
  readonly subject: string
  /** The value of an option, or undefined. */
  text(option: string): string | undefined
  flag(option: string): boolean
  /** Asks for what must not be seen. @throws {UsageError} where nobody can be asked */
  ask(question: string): Promise<string>
  /** The account that is meant. @throws where that is not clear */
  account(): Promise<Account>
  /** Does what the endpoint does, checked and recorded as there. */
  call<E extends Endpoint>(
    name: string,
    endpoint: E,
    handler: Handler<E, AccountCaller>,
    given: Arguments<E>,
  ): Promise<ResultOf<E>>
  /** Does what no endpoint does with the account that is meant, and records that it did or how it failed. */
  recorded<T>(
    operation: string,
    resources: Readonly<Record<string, string>>,
    work: (accountId: string) => Promise<T>,
  ): Promise<T>
}

export interface Answer {
  /** For `--json`. */
  readonly result: unknown
  /** For people. */
  readonly lines: readonly string[]
  readonly failed?: boolean
}

export interface Command {
  readonly summary: string
  /** What the word after the command is, where it needs one. */
  readonly subject?: string
  readonly options?: Readonly<Record<string, { readonly type: 'string' | 'boolean' }>>
  readonly run: (context: Context) => Promise<Answer>
}
