import { type AuditEntry, getAuditLog, verifyAuditLog } from '#shared/contract/account/audit.ts'
import { deletePerson, resetPasskeys } from '#shared/contract/account/person.ts'
import { getDeliveries, resendDelivery } from '#shared/contract/account/webhook.ts'
import type { ResultOf } from '#shared/endpoint.ts'
import type { Answer, Command, Context } from './command.ts'

type Delivery = ResultOf<typeof getDeliveries>['deliveries'][number]

const paging = { limit: { type: 'string' }, cursor: { type: 'string' } } as const

const audit: Command = {
  summary:
    'Prints the audit log, newest first; --verify checks that it is complete, optionally against a --sequence and --hash stored elsewhere.',
  options: {
    ...paging,
    verify: { type: 'boolean' },
    sequence: { type: 'string' },
    hash: { type: 'string' },
  },
  async run(context) {
    if (context.flag('verify')) return verified(context)
    const { getAuditLog: get } = context.services.auditService
    const result = await context.call('getAuditLog', getAuditLog, get, { query: pageOf(context) })
    return { result, lines: [...result.entries.map(entryLine), ...more(result.nextCursor)] }
  },
}

const deliveries: Command = {
  summary:
    'Lists webhook deliveries of the last 7 days, newest first, filtered by --session, --endpoint or --state.',
  options: {
    ...paging,
    session: { type: 'string' },
    endpoint: { type: 'string' },
    state: { type: 'string' },
  },
  async run(context) {
    const [session, endpointId] = [context.text('session'), context.text('endpoint')]
    const state = context.text('state') as Delivery['state'] | undefined
    const query = {
      ...pageOf(context),
      ...(session !== undefined && { verificationSessionId: session }),
      ...(endpointId !== undefined && { endpointId }),
      ...(state !== undefined && { state }),
    }
    const { getDeliveries: get } = context.services.webhookService
    const result = await context.call('getDeliveries', getDeliveries, get, { query })
    const lines = [...result.deliveries.map(deliveryLine), ...more(result.nextCursor)]
    return { result, lines: lines.length > 0 ? lines : ['There are no deliveries.'] }
  },
}

const resend: Command = {
  summary: 'Resends a webhook event, and waits for the outcome.',
  subject: 'DELIVERY',
  async run({ call, subject, services }) {
    const { webhookService } = services
    const body = { deliveryId: subject }
    const { deliveryId } = await call('resendDelivery', resendDelivery, webhookService.resendDelivery, {
      body,
    })
    await services.deliveries.settle()
    const query = { limit: 100 }
    const listed = await call('getDeliveries', getDeliveries, webhookService.getDeliveries, { query })
    const sent = listed.deliveries.find((delivery) => delivery.deliveryId === deliveryId)
    const result = sent ?? { deliveryId }
    return {
      result,
      lines: [sent === undefined ? deliveryId : deliveryLine(sent)],
      failed: sent?.state === 'failed',
    }
  },
}

const deleteThePerson: Command = {
  summary: 'Deletes everything about a person: faces, sessions and their results, deliveries.',
  subject: 'EXTERNAL_ID',
  async run({ call, subject, services }) {
    const query = { externalId: subject }
    const result = await call('deletePerson', deletePerson, services.deletePerson, { query })
    const { facesDeleted, sessionsDeleted, deliveriesDeleted } = result
    return {
      result,
      lines: [
        `Faces deleted: ${facesDeleted}`,
        `Sessions deleted: ${sessionsDeleted}`,
        `Deliveries deleted: ${deliveriesDeleted}`,
      ],
    }
  },
}

const resetThePasskeys: Command = {
  summary: 'Revokes every passkey of a person who lost the device; the next one needs the same face.',
  subject: 'EXTERNAL_ID',
  async run({ call, subject, services }) {
    const body = { externalId: subject }
    const result = await call('resetPasskeys', resetPasskeys, services.resetPasskeys, { body })
    return { result, lines: [`Revoked passkeys: ${result.removed}`] }
  },
}

export const recordCommands: Readonly<Record<string, Command>> = {
  audit,
  deliveries,
  resend,
  'delete-person': deleteThePerson,
  'reset-passkeys': resetThePasskeys,
}

async function verified({ call, text, services }: Context): Promise<Answer> {
  const sequence = text('sequence')
  const hash = text('hash')
  const query = { ...(sequence !== undefined && { sequence }), ...(hash !== undefined && { hash }) }
  const { verifyAuditLog: verify } = services.auditService
  const result = await call('verifyAuditLog', verifyAuditLog, verify, { query })
  const { valid, checked, fault, faultAt, head } = result
  const verdict = valid ? `The log is complete: ${checked} entries.` : `The log is NOT complete: ${fault}`
  const where = faultAt === null ? '' : `, at entry ${faultAt}`
  const end = head === null ? [] : [`Keep elsewhere: --sequence ${head.sequence} --hash ${head.hash}`]
  return { result, lines: [verdict + where, ...end], failed: !valid }
}

function pageOf({ text }: Context) {
  const [limit, cursor] = [text('limit'), text('cursor')]
  return { ...(limit !== undefined && { limit }), ...(cursor !== undefined && { cursor }) }
}

function more(nextCursor: string | null): string[] {
  return nextCursor === null ? [] : [`More with --cursor ${nextCursor}`]
}

function entryLine({ sequence, time, operation, actor, resources, outcome }: AuditEntry): string {
  const what = Object.entries(resources).map(([name, id]) => `${name}=${id}`)
  const named = actor.operator?.name ?? actor.keyId
  const who = named === null ? actor.kind : `${actor.kind} ${named}`
  return [`${sequence}  ${time}  ${operation}  by ${who}`, ...what, outcome].join('  ')
}

function deliveryLine({ deliveryId, created, state, event, attempts, ...about }: Delivery): string {
  const { endpointId, verificationSessionId, kioskId, collectionId } = about
  const of =
    verificationSessionId === null
      ? kioskId === null
        ? `collection ${collectionId}`
        : `kiosk ${kioskId}`
      : `session ${verificationSessionId}`
  const where = endpointId === null ? '' : `  endpoint ${endpointId}`
  const tries = attempts.map(({ status, error }) => status ?? error ?? 'under way').join(', ')
  return `${deliveryId}  ${created}  ${state}  ${event}  ${of}${where}  attempts: ${tries || 'none'}`
}
