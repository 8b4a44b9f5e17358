import { accountCommands } from './account-commands.ts'
import type { Command } from './command.ts'
import { keyCommands } from './key-commands.ts'
import { recordCommands } from './record-commands.ts'

/** Every command, in the order in which the help tells them. */
export const commands: Readonly<Record<string, Command>> = {
  ...accountCommands,
  ...keyCommands,
  ...recordCommands,
}
