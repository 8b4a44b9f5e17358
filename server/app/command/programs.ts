import { accountCommands } from './account-commands.ts'
import { auditCommands } from './audit/audit-commands.ts'
import { collectionCommands } from './collection-commands.ts'
import type { Command } from './command.ts'
import { endpointCommands } from './endpoint-commands.ts'
import { keyCommands } from './key-commands.ts'
import { openidCommands } from './openid/openid-commands.ts'
import { peopleCommands } from './people-commands.ts'
import { recordCommands } from './record-commands.ts'
import { sessionCommands } from './session-commands.ts'

/** A program that runs with `npm run NAME`. Its commands are in the order in which the help lists them. */
export interface Program {
  readonly name: string
  readonly commands: Readonly<Record<string, Command>>
}

export const accountProgram: Program = {
  name: 'account',
  commands: {
    ...accountCommands,
    ...keyCommands,
    ...peopleCommands,
    ...sessionCommands,
    ...recordCommands,
    ...endpointCommands,
    ...openidCommands,
  },
}

export const auditProgram: Program = { name: 'audit', commands: auditCommands }

export const collectionProgram: Program = { name: 'collection', commands: collectionCommands }
