import type { AuditPlace } from '#server/app/audit-place.ts'
import type { Services } from '#server/app/compose.ts'
import type { AnalysisService } from '#server/features/analysis/analysis.ts'
import type { Account, AccountCaller } from '#server/features/callers/callers.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import type { Arguments, Endpoint, Handler, ResultOf } from '#shared/endpoint.ts'

/** A command's arguments are wrong. */
export class UsageError extends Error {}

/** An option that is on or off; undefined if it is absent. @throws {UsageError} if it has any other value */
export function switchOf({ text }: Pick<Context, 'text'>, option: string): boolean | undefined {
  const given = text(option)
  if (given === undefined) return undefined
  if (given !== 'on' && given !== 'off') throw new UsageError(`--${option} must be on or off.`)
  return given === 'on'
}

/** The facilities available to a command. */
export interface Context {
  readonly services: Services
  /** The console's origin. */
  readonly consoleOrigin: string
  readonly secretStandsIn: 'SECRET' | 'file'
  /** Makes the current secret the only one that opens the store. */
  reseal(): Promise<void>
  readonly auditPlace: AuditPlace
  readonly keyRing: KeyRing
  /** The argument after the command, if it takes one. */
  readonly subject: string
  /** The arguments after the command, if it takes several. */
  readonly subjects: readonly string[]
  /** An option's value, or undefined. */
  text(option: string): string | undefined
  flag(option: string): boolean
  /** Reports progress while the command is working. */
  progress(words: string): void
  /** Starts an analysis service, which callers must close. @throws {UsageError} if this program cannot analyse pictures */
  startAnalysis(): AnalysisService
  /** Prompts without an echo. @throws {UsageError} if there is no terminal */
  ask(question: string): Promise<string>
  /** The selected account. @throws if the selection is not unique */
  account(): Promise<Account>
  /** Calls an endpoint, with the same checks and audit record as over HTTP. */
  call<E extends Endpoint>(
    name: string,
    endpoint: E,
    handler: Handler<E, AccountCaller>,
    given: Arguments<E>,
  ): Promise<ResultOf<E>>
  /** Runs an operation that no endpoint offers on the selected account, and records its success or failure. */
  recorded<T>(
    operation: string,
    resources: Readonly<Record<string, string>>,
    work: (accountId: string) => Promise<T>,
  ): Promise<T>
}

export interface Answer {
  /** For `--json`. */
  readonly result: unknown
  /** For people to read. */
  readonly lines: readonly string[]
  readonly failed?: boolean
}

export interface Command {
  readonly summary: string
  /** The name of the argument after the command, if it needs one. */
  readonly subject?: string
  /** True if the argument may occur any number of times, including none. */
  readonly several?: true
  readonly options?: Readonly<Record<string, { readonly type: 'string' | 'boolean' }>>
  readonly run: (context: Context) => Promise<Answer>
}
