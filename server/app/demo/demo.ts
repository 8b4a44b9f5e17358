import type { Services } from '#server/app/compose.ts'
import type { Demo } from '#server/app/serving/pages/demo-pages.ts'
import type { Account, AccountCaller } from '#server/features/callers/callers.ts'
import { scopes } from '#shared/endpoint.ts'
import { upToSignature } from '#shared/signed-query.ts'
import { answerPage, type VerifiedReturn } from './answer-page.ts'
import { choicesOf, chosen, configOf, type Option } from './choices.ts'
import { script } from './script.ts'
import { startPage } from './start-page.ts'
import { style } from './style.ts'
import { answerWordingFor } from './wording/languages.ts'

const purpose = 'demo'

/** The demo acts as an integrator with a separate account, which signs links and reads results. */
export async function createDemo(services: Services, origin: () => string): Promise<Demo> {
  const offered = choicesOf(services.pack)
  await services.accounts.createOnce(purpose, 'Selfsame demo')
  const account = (await services.accounts.findByPurpose(purpose))!
  const live = callerOf(account)
  const test = callerOf(await prepareShadow(services.accounts, account))
  return {
    style,
    script,
    async start(query) {
      const options = chosen(offered, query)
      const linkOf = (caller: AccountCaller) => linkFor(services, caller, options, origin())
      return startPage(offered, options, {
        link: await linkOf(live),
        testLink: await linkOf(test),
        origin: origin(),
      })
    },
    async token() {
      const asked = { query: { expirationInSeconds: 900, scope: 'analyse' }, body: undefined, caller: live }
      return services.tokenService.getToken(asked)
    },
    async result(query, languages) {
      const judged = await judge(services, live, query)
      const shown = judged.state === 'Valid' ? judged : await judge(services, test, query)
      return answerPage(query, shown, answerWordingFor(languages))
    },
  }
}

/** [Note: The demo tries both] A test in the demo uses its account's test account, just as an integrator's test would. */
async function prepareShadow(accounts: Services['accounts'], account: Account): Promise<Account> {
  if (account.testAccountId === undefined) await accounts.keys.create(account.accountId, 'demo', [], 'test')
  const { testAccountId } = (await accounts.find(account.accountId))!
  return (await accounts.find(testAccountId!))!
}

function callerOf({ accountId, primaryKeyId: keyId }: Account): AccountCaller {
  const { signal } = new AbortController()
  return { kind: 'account', accountId, keyId, scopes, via: 'key', address: 'demo', signal }
}

async function linkFor(
  services: Services,
  caller: AccountCaller,
  options: readonly Option[],
  origin: string,
): Promise<string> {
  const verificationId = await verificationFor(services, caller, options, origin)
  const queryString = `reVerificationId=${verificationId}&reCorrelationId=demo&from=demo`
  const securitySettings = { enableNonce: true, expirationEnabled: true, expirationInSeconds: 3600 }
  const body = { queryString, securitySettings }
  const { signedQueryString } = await services.signatures.createSignature({ query: undefined, body, caller })
  return `${origin}/verification/${verificationId}?${signedQueryString}`
}

/** Creates a verification once per choice, and reuses it. */
async function verificationFor(
  { verifications }: Services,
  caller: AccountCaller,
  options: readonly Option[],
  origin: string,
): Promise<string> {
  const name = [origin, ...options.map(({ value }) => value)].join(' ')
  const known = await verifications.findByName(caller.accountId, name)
  if (known !== undefined) return known.verificationId
  const verificationConfig = configOf(options, `${origin}/demo/result`)
  const body = { name, verificationConfig }
  return verifications.createVerification({ query: undefined, body, caller }).then(
    ({ verificationId }) => verificationId,
    async () => (await verifications.findByName(caller.accountId, name))!.verificationId,
  )
}

async function judge(services: Services, caller: AccountCaller, sent: string): Promise<VerifiedReturn> {
  const query = upToSignature(sent)
  const body = { queryString: query }
  const answer = await services.signatures
    .validateSignature({ query: undefined, body, caller })
    .catch(() => undefined)
  const state = answer?.result ?? 'Invalid'
  const verificationSessionId = new URLSearchParams(query).get('reVerificationSessionId')
  if (state !== 'Valid' || verificationSessionId === null) return { state, result: undefined }
  const asked = { query: { verificationSessionId }, body: undefined, caller }
  return { state, result: await services.sessions.getSessionResult(asked).catch(() => undefined) }
}
