import type { Endpoint } from '../../endpoint.ts'
import { getNotices, seeNotices } from './notices.ts'
import {
  beginProvider,
  beginProviderAgain,
  finishProvider,
  finishProviderAgain,
  getProvider,
} from './openid.ts'
import { addPasskey, beginPasskey, getPasskeys, removePasskey, renamePasskey } from './passkeys.ts'
import {
  changeRole,
  endSignIn,
  getPeople,
  getSignIns,
  invitePerson,
  removePerson,
  withdrawInvitation,
} from './people.ts'
import {
  beginAgain,
  beginInvitation,
  beginSignIn,
  finishAgain,
  finishInvitation,
  finishSignIn,
  getMe,
  joinAccount,
  signOut,
  switchAccount,
} from './sign-in.ts'

/** What the console alone calls: getting in, and the people of an account. The configuration role serves it. */
export const consoleCatalogue = {
  beginSignIn,
  finishSignIn,
  beginInvitation,
  finishInvitation,
  joinAccount,
  beginAgain,
  finishAgain,
  getProvider,
  beginProvider,
  finishProvider,
  beginProviderAgain,
  finishProviderAgain,
  signOut,
  getMe,
  switchAccount,
  getSignIns,
  endSignIn,
  getPasskeys,
  beginPasskey,
  addPasskey,
  renamePasskey,
  removePasskey,
  getPeople,
  invitePerson,
  withdrawInvitation,
  changeRole,
  removePerson,
  getNotices,
  seeNotices,
} as const satisfies Record<string, Endpoint>

export type ConsoleCatalogue = typeof consoleCatalogue
