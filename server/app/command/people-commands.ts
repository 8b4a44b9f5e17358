import { environmentOf } from '#server/features/callers/callers.ts'
import { invitationAddress, nobody } from '#server/features/operators/operators.ts'
import { validate } from '#server/platform/http/requests/validation.ts'
import { deployment } from '#server/platform/store/tables.ts'
import { invitationLimits } from '#shared/contract/console/console-paths.ts'
import { invitePerson } from '#shared/contract/console/people.ts'
import { operatorRoles } from '#shared/operator-roles.ts'
import { type Command, UsageError } from './command.ts'

const invite: Command = {
  summary: `Prints an address that gives a person access to the console, once and within 15 minutes; --role ${operatorRoles.join(', ')}. For an existing name, it replaces a lost passkey.`,
  subject: 'NAME',
  options: { role: { type: 'string' } },
  async run({ account, services, consoleOrigin, recorded, subject, text }) {
    if (text('role') === undefined) throw new UsageError('--role is missing.')
    if (environmentOf(await account()) === 'test')
      throw new UsageError(
        '--account is a test account, which has the same people as its live account: use that one.',
      )
    const { name, role } = validate(invitePerson.body, { name: subject, role: text('role') }, '#')
    const { invitation, code } = await recorded('invitePerson', { role }, (accountId) =>
      services.invitations.make({
        accountId,
        name,
        role,
        lifeInSeconds: invitationLimits.printedSeconds,
        mayReplace: true,
      }),
    )
    const url = invitationAddress(consoleOrigin, code)
    const isKnown = invitation.replaces !== null
    return {
      result: { url, name: invitation.name, role, replacesPasskey: isKnown },
      lines: [
        `Console: ${url}`,
        'This address can be used once, within 15 minutes.',
        ...(isKnown
          ? [`It creates a new passkey for ${invitation.name} and ends all of their sign-ins.`]
          : []),
      ],
    }
  },
}

const people: Command = {
  summary: 'Lists the people of an account, with their roles.',
  async run({ account, services: { operators } }) {
    const { accountId } = await account()
    const { members } = (await operators.teams.get(deployment, accountId)) ?? nobody
    const found = members.map(({ operatorId, name, role, joined }) => ({ operatorId, name, role, joined }))
    const lines = found.map(({ operatorId, name, role }) => `${operatorId}  ${name}  (${role})`)
    return {
      result: { people: found },
      lines: lines.length > 0 ? lines : ['There are no people yet: add one with invite NAME.'],
    }
  },
}

const lockOut: Command = {
  summary:
    'Ends every console sign-in of a person, removes their passkeys and revokes their invitations; invite lets them in again.',
  subject: 'NAME',
  async run({ services, recorded, subject }) {
    const lock = (accountId: string) => services.lockOut(accountId, subject)
    const { operatorId, name, role } = await recorded('lockOutPerson', {}, lock)
    return {
      result: { operatorId, name, role },
      lines: [`${name} is signed out everywhere. To let them in again: invite "${name}" --role ${role}`],
    }
  },
}

export const peopleCommands: Readonly<Record<string, Command>> = {
  invite,
  people,
  'lock-out': lockOut,
}
