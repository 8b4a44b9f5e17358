import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { catalogue } from '#shared/contract/catalogue.ts'
import { consoleCatalogue } from '#shared/contract/console/console-catalogue.ts'
import { consoleBasePath } from '#shared/contract/console/console-paths.ts'
import { type Endpoint, scopes } from '#shared/endpoint.ts'
import { type OperatorRole, operatorRoles } from '#shared/operator-roles.ts'
import { type ConsoleVisitor, signedInAs } from '../../../../support/console-visitor.ts'
import { type Host, startHost } from '../../../../support/host.ts'

/**
 * The intended permissions: the scope that a key needs (`-` for none), then the initials of owner, developer, reviewer and
 * viewer, and `!` if the passkey must have been used recently.
 */
const cells = `
  createSignature             configure  od
  validateSignature           configure  od
  getVerification             configure  odrv
  getAllVerifications         configure  odrv
  getVerificationVersions     configure  odrv
  createVerification          configure  od
  createOrUpdateVerification  configure  od
  updateVerification          configure  od
  deleteVerification          configure  od!
  getSessionResult            configure  odrv
  getSessions                 configure  odrv
  getSessionTimeline          configure  odrv
  getUsage                    configure  odrv
  createSession               configure  od
  completeTestSession         configure  od
  cancelSession               configure  odr
  reviewSession               review     or
  getEvidence                 review     or
  undoReview                  review     or
  getSimilarSessions          review     or
  denyFace                    review     or
  assignReview                review     or
  getReviewCounts             review     or
  getSecondOpinions           review     or
  giveSecondOpinion           review     or
  getAttention                configure  odrv
  updateAttentionLimits       admin      o
  confirmAttention            admin      o
  getAccount                  admin      odrv
  updateAccount               admin      od
  getKeys                     admin      od
  createKey                   admin      od!
  revokeKey                   admin      od!
  setPrimaryKey               admin      od!
  rotateSigningKey            admin      od!
  rotateWebhookSecret         admin      od!
  getRequests                 admin      od
  getAuditLog                 admin      od
  verifyAuditLog              admin      od
  deletePerson                people|admin o!
  exportPerson                people|admin o!
  resetPasskeys               admin      o!
  getDeliveries               admin      od
  resendDelivery              admin      od
  resendFailed                admin      od
  createWebhookEndpoint       admin      od!
  getWebhookEndpoints         admin      od
  sendTestEvent               admin      od
  updateWebhookEndpoint       admin      od!
  deleteWebhookEndpoint       admin      od!
  createOpenidClient          admin      od!
  getOpenidClients            admin      od
  updateOpenidClient          admin      od!
  deleteOpenidClient          admin      od!
  rotateOpenidSecret          admin      od!
  tryOpenidClient             admin      od!
  createKiosk                 admin      od
  getAllKiosks                admin      odrv
  revokeKiosk                 admin      od!
  getToken                    tokens
  getVerifyToken              tokens
  getUtcNow                   -          odrv
  getCollection               people|configure odrv
  getAllCollections           people|configure odrv
  createCollection            people|configure od
  updateCollection            people|configure od
  deleteCollection            people|configure od!
  searchFace                  people|configure odr
  searchCandidates            people|configure odr
  indexFace                   people|configure od
  searchOrIndexFace           people|configure od
  deleteFace                  people|configure od!
  updateFace                  people|configure od
  getAllFaces                 people|configure odrv
  verifyDuplicate             people|configure od
  resetCollection             people|configure od!
  getAge                      analyse    od
  getGender                   analyse    od
  detectFaces                 analyse    od
  getQuality                  analyse    od
  getFaceEmbeddings           analyse    od
  compareFaceEmbeddings       analyse    od
  detectEmotionAttention      analyse    od
  detectLiveness              analyse    od
  joinAccount                 -          odrv
  beginAgain                  -          odrv
  finishAgain                 -          odrv
  beginProviderAgain          -          odrv
  finishProviderAgain         -          odrv
  getMe                       -          odrv
  switchAccount               -          odrv
  getSignIns                  -          odrv
  endSignIn                   -          odrv
  getPasskeys                 -          odrv
  beginPasskey                -          odrv!
  addPasskey                  -          odrv!
  renamePasskey               -          odrv
  removePasskey               -          odrv!
  getPeople                   -          odrv
  invitePerson                -          o!
  withdrawInvitation          -          o!
  changeRole                  -          o!
  removePerson                -          o!
  getNotices                  -          o
  seeNotices                  -          o
  signOut                     -          odrv
`

const rows = cells
  .trim()
  .split('\n')
  .map((line) => {
    const [name = '', scope = '', may = ''] = line.trim().split(/\s+/)
    return { name, scope, may, isDangerous: may.endsWith('!') }
  })

const known: Record<string, Endpoint> = Object.assign({}, ...Object.values(catalogue), consoleCatalogue)
const isOwn = ({ path }: Endpoint) => path.startsWith(consoleBasePath)
/** Has no effect, because the input is invalid or does not name anything. */
const nonsense = { keyId: 'x', limit: 'x', immediately: 'x', name: 5 }

let host: Host
const visitors = new Map<OperatorRole, ConsoleVisitor>()
beforeAll(async () => {
  host = await startHost()
  for (const role of operatorRoles) visitors.set(role, await signedInAs(host, role))
})
afterAll(() => host.close())

async function outcomeOf(name: string, role: OperatorRole): Promise<string> {
  const endpoint = known[name]!
  const { status, body } = await visitors.get(role)!.ask(endpoint, nonsense)
  if (status === 403) return String(body.code)
  expect(status).toBeLessThan(500)
  return 'may'
}

describe('permissions of people and keys', () => {
  it('have a row for each endpoint that a credential opens, and for each call of the console', () => {
    const asked = Object.entries(known).filter(([, { auth }]) =>
      ['key', 'key-or-bearer', 'console'].includes(auth),
    )
    expect(rows.map(({ name }) => name).sort()).toEqual(asked.map(([name]) => name).sort())
  })

  describe.each(operatorRoles)('%s', (role) => {
    const isAllowed = (may: string) => may.includes(role[0]!)

    test.each(rows.filter(({ name }) => name !== 'signOut'))('$name: $may', async ({ name, may }) => {
      expect(await outcomeOf(name, role)).toBe(isAllowed(may) ? 'may' : 'forbidden')
    })
  })

  describe.each(scopes)('a key of the scope %s', (scope) => {
    const keyed = rows.filter(({ name }) => !isOwn(known[name]!))

    test.each(keyed)('$name: $scope', async (row) => {
      const { apiKey } = await keyOf(scope)
      const endpoint = known[row.name]!
      const query = endpoint.query === undefined ? '' : `?${new URLSearchParams(nonsense as never)}`
      const answer = await host.fetch(endpoint.path + query, {
        method: endpoint.method,
        headers: { authorization: `ApiKey ${apiKey}`, 'content-type': 'application/json' },
        ...(endpoint.body === undefined ? {} : { body: JSON.stringify(nonsense) }),
      })
      const needed = row.scope.split('|')
      const lacksIt = (await answer.text()).includes(`lacks the scope ${needed.join(' or ')}.`)
      expect(lacksIt).toBe(row.scope !== '-' && !needed.includes(scope))
    })
  })

  it('ask for the passkey again after five minutes, for dangerous calls only', async () => {
    const owner = visitors.get('owner')!
    const dangerous = rows.filter(({ may }) => may.endsWith('!')).map(({ name }) => name)
    await owner.again()
    host.pass(5 * 60_000 - 2000)
    expect(await outcomesOf(dangerous)).toEqual(new Set(['may']))
    host.pass(2000)
    expect(await outcomesOf(dangerous)).toEqual(new Set(['passkey_needed']))
    const rest = rows.filter(
      ({ name, may, isDangerous }) => may.startsWith('o') && !isDangerous && name !== 'signOut',
    )
    expect(await outcomesOf(rest.map(({ name }) => name))).toEqual(new Set(['may']))
    await owner.again()
    expect(await outcomesOf(dangerous)).toEqual(new Set(['may']))
  })

  it.each(operatorRoles)('lets %s sign out, and nothing after that', async (role) => {
    const visitor = visitors.get(role)!
    const cookie = visitor.cookie()!
    expect((await visitor.ask(consoleCatalogue.signOut)).status).toBe(200)
    expect(visitor.cookie()).toBeUndefined()
    expect((await visitor.ask(consoleCatalogue.getMe, {}, { cookie })).status).toBe(401)
  })
})

async function outcomesOf(names: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>()
  for (const name of names) found.add(await outcomeOf(name, 'owner'))
  return found
}

const keys = new Map<string, Promise<{ apiKey: string }>>()
function keyOf(scope: (typeof scopes)[number]) {
  const made = keys.get(scope) ?? host.services.accounts.keys.create(host.accountId, scope, [scope])
  keys.set(scope, made)
  return made
}
