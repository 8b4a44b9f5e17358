import type { Services } from '#server/app/compose.ts'
import type { OpenedServices } from '#server/app/opening.ts'
import { type Account, type AccountCaller, environmentOf } from '#server/features/callers/callers.ts'
import { validate } from '#server/platform/http/requests/validation.ts'
import { FileFault } from '#server/platform/sealed-files/file-fault.ts'
import { scopes } from '#shared/endpoint.ts'
import { Problem } from '#shared/problem.ts'
import { type Context, UsageError } from './command.ts'

interface Words {
  readonly values: Readonly<Record<string, string | boolean | undefined>>
  readonly positionals: readonly string[]
  /** True to select the account's test account. */
  readonly isTest: boolean
}

export function createContext(
  { services, auditPlace, keyRing, consoleOrigin, secretStandsIn, reseal }: OpenedServices,
  { values, positionals, isTest }: Words,
  io: Pick<Context, 'ask' | 'progress' | 'startAnalysis'>,
): Context {
  const text = (option: string) => {
    const value = values[option]
    return typeof value === 'string' ? value : undefined
  }
  const account = async () => {
    const found = await findAccount(services, text('account'))
    return isTest ? findShadow(services, found) : found
  }
  return {
    services,
    auditPlace,
    keyRing,
    consoleOrigin,
    secretStandsIn,
    reseal,
    ...io,
    subject: positionals[0] ?? '',
    subjects: positionals,
    text,
    flag: (option) => values[option] === true,
    account,
    async call(name, endpoint, handler, given) {
      const caller = callerOf(await account())
      const query = endpoint.query && validate(endpoint.query, given.query, '#/query')
      const body = endpoint.body && validate(endpoint.body, given.body, '#')
      const recorded = services.audit.watch(name, endpoint, (request) =>
        handler(request as Parameters<typeof handler>[0]),
      )
      return (await recorded({ query, body, caller })) as Awaited<ReturnType<typeof handler>>
    },
    async recorded(operation, resources, work) {
      const { accountId } = await account()
      const note = (outcome: string) =>
        services.audit.note(accountId, operation, 'commandLine', resources, outcome)
      try {
        const result = await work(accountId)
        await note('succeeded')
        return result
      } catch (error) {
        await note(outcomeOf(error))
        throw error
      }
    },
  }
}

function outcomeOf(error: unknown): string {
  if (error instanceof Problem) return error.code
  return error instanceof FileFault ? 'invalid_request' : 'internal_error'
}

/** Finds an account by ID, or a live one by name. Without either, returns the only live account apart from the demo's. */
async function findAccount({ accounts }: Services, given: string | undefined): Promise<Account> {
  const all = await accounts.list()
  const demo = await accounts.findByPurpose('demo')
  const found =
    given === undefined
      ? all.filter((one) => one.accountId !== demo?.accountId && environmentOf(one) === 'live')
      : all.filter((one) => one.accountId === given || (one.name === given && environmentOf(one) === 'live'))
  const [only, ...more] = found
  if (only === undefined) throw new Problem('not_found', 'The account does not exist; run the command list.')
  if (more.length > 0) throw new UsageError('There are several accounts: choose one with --account ID.')
  return only
}

/** @throws {Problem} 404 if it does not exist yet */
async function findShadow({ accounts }: Services, account: Account): Promise<Account> {
  if (environmentOf(account) === 'test') return account
  const { testAccountId } = account
  const shadow = testAccountId === undefined ? undefined : await accounts.find(testAccountId)
  if (shadow !== undefined) return shadow
  throw new Problem('not_found', 'There is no test account yet: create one with create-key NAME --mode test.')
}

/** Commands run with full access to the machine, so they have every right and do not need a key. */
function callerOf({ accountId }: Account): AccountCaller {
  const { signal } = new AbortController()
  return { kind: 'account', accountId, keyId: '', scopes, via: 'command', address: 'command line', signal }
}
