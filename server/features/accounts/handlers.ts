import {
  type Account,
  type AccountCaller,
  type ApiKey,
  answerFor,
  environmentOf,
  type HandlersOf,
  type Look,
  type PermitsOf,
  type RotatedSecret,
} from '#server/features/callers/callers.ts'
import { refuseUnfitName } from '#server/platform/http/requests/new-name.ts'
import type { updateAccount } from '#shared/contract/account/account.ts'
import { type BodyOf, mayGrant, type Scope } from '#shared/endpoint.ts'
import { Problem } from '#shared/problem.ts'
import { accountConsequences } from './account-consequences.ts'
import type { AccountSettings, Accounts } from './account-records.ts'
import { existingAccount } from './existing-account.ts'
import { encodeLogo } from './logo-encoder.ts'
import type { Logos } from './logos.ts'

/** An account admin's actions, over HTTP or on the command line. */
export interface AccountService
  extends HandlersOf<
    'configuration',
    | 'getAccount'
    | 'updateAccount'
    | 'getKeys'
    | 'createKey'
    | 'revokeKey'
    | 'setPrimaryKey'
    | 'rotateSigningKey'
    | 'rotateWebhookSecret'
  > {
  readonly permits: PermitsOf<'updateAccount' | 'createKey' | 'revokeKey' | 'setPrimaryKey'>
}

export function createAccountService(accounts: Accounts, logos: Logos): AccountService {
  return {
    getAccount: async ({ caller }) => ({
      account: detailOf(await existingAccount(accounts, caller.accountId)),
    }),
    async updateAccount({ body: { logo: picture, ...body }, caller }) {
      refuseTwoAccents(body.accentColour, body.theme?.accent)
      const settings = settingsIn(body)
      const logo = picture === undefined ? undefined : await changedLogo(logos, picture)
      const account = await accounts.update(
        caller.accountId,
        { ...settings, ...logo?.setting },
        async (before) => {
          refuseUnfitNames(body, before)
          answerFor(caller, accountConsequences(before, settings))
          return logo === undefined ? [] : logo.writes(before)
        },
      )
      return { account: detailOf(account) }
    },
    async getKeys({ caller }) {
      const { accountId, primaryKeyId } = await existingAccount(accounts, caller.accountId)
      const keys = await accounts.keys.list(accountId)
      return { keys: keys.map((key) => keyDetailOf(key, primaryKeyId)) }
    },
    async createKey({ body, caller }) {
      const environment = environmentOf(await existingAccount(accounts, caller.accountId))
      const mode = body.mode ?? environment
      if (environment === 'test' && mode === 'live')
        throw Problem.at('#/mode', 'Must be test, because a test key cannot create a live key.')
      refuseBeyond(caller, body.scopes)
      await refuseUnfitKeyName(accounts, caller.accountId, body.name)
      const { key, apiKey } = await accounts.keys.create(caller.accountId, body.name, body.scopes, mode)
      return { keyId: key.keyId, apiKey, mode }
    },
    async revokeKey({ query, caller }) {
      await refuseStronger(accounts, caller, query.keyId)
      await accounts.keys.revoke(caller.accountId, query.keyId, query.overlapInSeconds)
      return {}
    },
    async setPrimaryKey({ body, caller }) {
      await refuseStronger(accounts, caller, body.keyId)
      const { primaryKeyId } = await accounts.keys.setPrimary(caller.accountId, body.keyId)
      return { keyId: primaryKeyId }
    },
    async rotateSigningKey({ body, caller }) {
      const { signingKeys } = await accounts.rotateSigningKey(caller.accountId, body.immediately)
      return { previousValidUntil: endOfFormer(signingKeys) }
    },
    async rotateWebhookSecret({ body, caller }) {
      const { account, secret } = await accounts.rotateWebhookSecret(caller.accountId, body.immediately)
      return {
        webhookSecret: `whsec_${secret.toString('base64')}`,
        previousSignsUntil: endOfFormer(account.webhookSecrets),
      }
    },
    permits: createPermits(accounts),
  }
}

/** The new logo setting and its writes; null removes the previous logo. */
async function changedLogo(logos: Logos, picture: string | null) {
  const made = picture === null ? undefined : logos.make(await encodeLogo(picture))
  return {
    setting: { logo: made?.logo ?? null },
    writes: async (before: Account) => [...(made?.writes ?? []), ...(await logos.retire(before.logo))],
  }
}

function createPermits(accounts: Accounts): AccountService['permits'] {
  const mayTouch = (caller: AccountCaller, keyId: string) => refuseStronger(accounts, caller, keyId)
  return {
    async updateAccount({ body: { logo: _picture, ...body }, caller }) {
      const before = await existingAccount(accounts, caller.accountId)
      answerFor(caller, accountConsequences(before, settingsIn(body)))
    },
    createKey: async ({ body, caller }) => refuseBeyond(caller, body.scopes),
    revokeKey: ({ query, caller }) => mayTouch(caller, query.keyId),
    setPrimaryKey: ({ body, caller }) => mayTouch(caller, body.keyId),
  }
}

/** A key that replaces another one may keep its name, even a name that is no longer allowed. @throws {Problem} 400 */
async function refuseUnfitKeyName(
  accounts: Pick<Accounts, 'keys'>,
  accountId: string,
  name: string,
): Promise<void> {
  const keys = await accounts.keys.list(accountId)
  refuseUnfitName(
    '#/name',
    name,
    keys.map((key) => key.name),
  )
}

/** @throws {Problem} 400 */
function refuseUnfitNames(
  { name, displayName }: Pick<BodyOf<typeof updateAccount>, 'name' | 'displayName'>,
  before: Pick<Account, 'name' | 'displayName'>,
): void {
  refuseUnfitName('#/name', name, [before.name])
  refuseUnfitName('#/displayName', displayName, [before.displayName])
}

/**
 * [Note: No key above its maker] An operator can neither create a key with more scopes than they have, nor revoke such a
 * key, nor let webhooks carry it.
 */
function refuseBeyond({ via, scopes: own }: AccountCaller, scopes: readonly Scope[]): void {
  if (via !== 'operator' || scopes.every((scope) => mayGrant(own, scope))) return
  throw new Problem('forbidden', 'Your role does not include every scope of this key.')
}

async function refuseStronger(
  accounts: Pick<Accounts, 'keys'>,
  caller: AccountCaller,
  keyId: string,
): Promise<void> {
  const key = caller.via === 'operator' ? await accounts.keys.find(caller.accountId, keyId) : undefined
  if (key !== undefined) refuseBeyond(caller, key.scopes)
}

/** When the previous secret stops being valid: immediately after the rotation if it was dropped. */
function endOfFormer([newest, former]: readonly RotatedSecret[]): string {
  return former?.until ?? newest!.created
}

type ThemeChange = NonNullable<BodyOf<typeof updateAccount>['theme']>

const houseLook: Look = { radius: null, font: null, mode: null }

/** The colour is one value with two names. @throws {Problem} 400 if they differ */
function refuseTwoAccents(one: string | null | undefined, other: string | null | undefined): void {
  if (one === undefined || other === undefined || one === other) return
  throw Problem.at('#/theme/accent', 'Must equal the accentColour that is sent with it.')
}

function lookOf(theme: ThemeChange | undefined) {
  if (theme === undefined) return {}
  const { accent, ...change } = theme
  return {
    look: settingsOf(change) as Partial<Look>,
    ...(accent === undefined ? {} : { accentColour: accent }),
  }
}

/** The account's changed settings, except its logo. */
function settingsIn({ theme, ...body }: Omit<BodyOf<typeof updateAccount>, 'logo'>): AccountSettings {
  return settingsOf({ ...body, ...lookOf(theme) })
}

/** Absent members stay unchanged. */
function settingsOf(body: Readonly<Record<string, unknown>>): AccountSettings {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
}

function detailOf(account: Account) {
  const { accountId, name, created, primaryKeyId, webhookCarriesKey } = account
  const { accentColour, logo, embedOrigins, attemptLimit } = account
  const { defaultTokenScope = null, displayName = null, supportUrl = null, look } = account
  const { secondOpinionPercent = 0 } = account
  return {
    accountId,
    name,
    created,
    environment: environmentOf(account),
    primaryKeyId,
    webhookCarriesKey,
    accentColour,
    logo,
    embedOrigins: [...embedOrigins],
    attemptLimit,
    defaultTokenScope,
    secondOpinionPercent,
    displayName,
    supportUrl,
    theme: { accent: accentColour, ...houseLook, ...look },
  }
}

function keyDetailOf(
  { keyId, name, scopes, created, lastUsed, revoked, ends }: ApiKey,
  primaryKeyId: string,
) {
  const isPrimary = keyId === primaryKeyId
  return { keyId, name, scopes: [...scopes], isPrimary, created, lastUsed, revoked, ...(ends && { ends }) }
}
