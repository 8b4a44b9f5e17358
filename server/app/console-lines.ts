import type { Accounts } from '#server/features/accounts/accounts.ts'
import {
  type Invitations,
  invitationAddress,
  type Operator,
  type OperatorStore,
} from '#server/features/operators/operators.ts'
import { allOf } from '#server/platform/store/all-of.ts'
import { deployment } from '#server/platform/store/tables.ts'
import { relyingPartyOf } from '#server/platform/web-authn/relying-party.ts'
import { invitationLimits } from '#shared/contract/console/console-paths.ts'
import { commandWords } from './command/command-words.ts'

interface ConsoleState {
  readonly invitations: Invitations
  /** The console's origin. */
  readonly origin: string
  /** The account's ID from the first start until it has an operator; undefined later. */
  readonly waitingAccountId: string | undefined
  /** True if the code, which opens the console, may be printed. */
  readonly mayPrint: boolean
  /** The command that invites an operator, ready to paste, followed by notes about it. */
  readonly invite: readonly string[]
}

/** The startup lines about the console. [Note: No code in a log] An address with a code opens the console once, whoever uses it. */
export async function consoleLines({
  invitations,
  origin,
  waitingAccountId,
  mayPrint,
  invite: [command = '', ...more],
}: ConsoleState): Promise<readonly string[]> {
  if (relyingPartyOf(origin) === undefined) return []
  const plain = `Console: ${origin}/console`
  if (waitingAccountId === undefined) return [plain]
  if (!mayPrint) return [plain, `To get in, run: ${command}`, ...more]
  const { code } = await invitations.make({
    accountId: waitingAccountId,
    name: null,
    role: 'owner',
    lifeInSeconds: invitationLimits.printedSeconds,
    mayReplace: false,
    isForFirst: true,
  })
  return [
    `Console: ${invitationAddress(origin, code)}`,
    `This address works once, within 15 minutes. After that, run: ${command}`,
    ...more,
  ]
}

/** A problem with the console's address; undefined if there is none. */
export type ConsoleTrouble = 'closed' | 'moved'

/** [Note: Passkeys belong to a name] Passkeys that were created under another host do not work here. */
export function consoleTroubleOf(origin: string, operators: readonly Operator[]): ConsoleTrouble | undefined {
  const party = relyingPartyOf(origin)
  if (party === undefined) return 'closed'
  const isElsewhere = ({ passkeys, relyingParty }: Operator) =>
    passkeys.length > 0 && relyingParty !== party.id
  return operators.some(isElsewhere) ? 'moved' : undefined
}

interface Console {
  readonly accounts: Pick<Accounts, 'findByPurpose'>
  readonly invitations: Invitations
  readonly operators: Pick<OperatorStore, 'operators'>
  readonly console: { readonly origin: () => string }
}

/** Prints the lines about the console, and returns the problem with its address, if any. */
export async function tellOfConsole(
  { accounts, invitations, operators, console }: Console,
  mayPrint: boolean,
  settings: Parameters<typeof commandWords>[0],
) {
  const origin = console.origin()
  const invite = commandWords(settings, origin, 'invite NAME --role owner')
  const known = await allOf(operators.operators.listReadable(deployment))
  const waiting = known.length === 0 ? await accounts.findByPurpose('first') : undefined
  return {
    lines: await consoleLines({
      invitations,
      origin,
      waitingAccountId: waiting?.accountId,
      mayPrint,
      invite,
    }),
    trouble: consoleTroubleOf(origin, known),
  }
}
