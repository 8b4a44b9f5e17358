import type { ConsoleCatalogue } from './console-catalogue.ts'
import { operatorRoles, type Permission } from './operator-roles.ts'

type Own = {
  [N in keyof ConsoleCatalogue]: ConsoleCatalogue[N]['auth'] extends 'none' ? never : N
}[keyof ConsoleCatalogue]

const everybody: Permission = { roles: operatorRoles, isDangerous: false }
const everybodyAgain: Permission = { roles: operatorRoles, isDangerous: true }
const owners: Permission = { roles: ['owner'], isDangerous: false }
const ownersAgain: Permission = { roles: ['owner'], isDangerous: true }

/** As `permissions`, for the calls of the console alone. */
export const consolePermissions: Readonly<Record<Own, Permission>> = {
  joinAccount: everybody,
  beginAgain: everybody,
  finishAgain: everybody,
  beginProviderAgain: everybody,
  finishProviderAgain: everybody,
  signOut: everybody,
  getMe: everybody,
  switchAccount: everybody,
  getSignIns: everybody,
  endSignIn: everybody,
  getPasskeys: everybody,
  beginPasskey: everybodyAgain,
  addPasskey: everybodyAgain,
  renamePasskey: everybody,
  removePasskey: everybodyAgain,
  getPeople: everybody,
  invitePerson: ownersAgain,
  withdrawInvitation: ownersAgain,
  changeRole: ownersAgain,
  removePerson: ownersAgain,
  getNotices: owners,
  seeNotices: owners,
}
