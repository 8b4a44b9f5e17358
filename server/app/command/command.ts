import type { AuditPlace } from '#server/app/audit-place.ts'
import type { Services } from '#server/app/compose.ts'
import type { AnalysisService } from '#server/features/analysis/analysis.ts'
import type { Account, AccountCaller } from '#server/features/callers/callers.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import type { Arguments, Endpoint, Handler, ResultOf } from '#shared/endpoint.ts'

/** The words of a command are wrong. */
export class UsageError extends Error {}

/** An option that is on or off; undefined where it is not given. @throws {UsageError} where it is anything else */
export function switchOf({ text }: Pick<Context, 'text'>, option: string): boolean | undefined {
  const given = text(option)
  if (given === undefined) return undefined
  if (given !== 'on' && given !== 'off') throw new UsageError(`--${option} must be on or off.`)
  return given === 'on'
}

/** What a command works with. */
export interface Context {
  readonly services: Services
  /** Where the console is. */
  readonly consoleOrigin: string
  readonly secretStandsIn: 'SECRET' | 'file'
  /** Makes the secret in use the only one that opens the store. */
  reseal(): Promise<void>
  readonly auditPlace: AuditPlace
  readonly keyRing: KeyRing
  /** The word after the command, where it takes one. */
  readonly subject: string
  /** The words after the command, where it takes several. */
  readonly subjects: readonly string[]
  /** The value of an option, or undefined. */
  text(option: string): string | undefined
  flag(option: string): boolean
  /** Says how far it is, while it works. */
  progress(words: string): void
  /** Starts to look at pictures; whoever starts it closes it. @throws {UsageError} where this program has nothing for it */
  startAnalysis(): AnalysisService
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
  /** Whether there may be several of them, or none. */
  readonly several?: true
  readonly options?: Readonly<Record<string, { readonly type: 'string' | 'boolean' }>>
  readonly run: (context: Context) => Promise<Answer>
}
