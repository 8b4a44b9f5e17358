import { createEmbedOriginsOf } from '#server/features/accounts/accounts.ts'
import { createOpenid } from '#server/features/openid/openid.ts'
import { createOperators } from '#server/features/operators/operators.ts'
import { createPrivacy } from '#server/features/privacy/privacy.ts'
import { createVerify } from '#server/features/verify/verify.ts'
import { composeFoundation } from './compose-foundation.ts'
import {
  createJudging,
  createKioskHandlers,
  createSessionRecords,
  createSessions,
} from './compose-sessions.ts'
import type { Ports } from './ports.ts'
import { createReadyz } from './readiness.ts'

/** Everything that the endpoints, the pages and the command line call. */
export type Services = ReturnType<typeof composeServices>

/**
 * Constructs every feature from its ports: for the server, for a command beside it and for a restore alike. Constructs no port itself,
 * and starts nothing.
 */
export function composeServices(ports: Ports) {
  const { store, pack, collectionLimit, phase, now, onFailure } = ports
  const known = composeFoundation(ports)
  const { accounts, tokenKeys, tokenService, recognition, verifications, audit, events, analyseImage } = known
  const records = createSessionRecords(ports, accounts)
  const { sessionStore, sessionRows } = records
  const judging = createJudging(ports, known, records)
  const sessions = createSessions(ports, known, records, judging)
  const openid = createOpenid({
    store,
    keyRing: ports.keyRing,
    accounts,
    verifications,
    ...judging,
    ...sessions,
    origin: ports.origin,
    isOn: ports.isOpenidProvider ?? false,
    now,
    onFailure,
  })
  return {
    ...known,
    ...records,
    ...sessions,
    openid,
    ...createKioskHandlers(ports, known, records, judging),
    ...createPrivacy({
      ...records,
      store,
      recognition,
      deliveryStore: known.deliveryStore,
      pictureMemory: ports.pictureMemory,
      attempts: judging.attempts,
      suspicions: judging.suspicions,
      aliases: known.aliases,
      keptAnswers: known.keptAnswers,
      openidPeople: openid.people,
      now,
    }),
    ...createOperators(ports, { accounts, audit, sessionRows }),
    verify: createVerify({
      store,
      access: recognition.access,
      analyseImage,
      tokenService,
      events,
      collectionLimit,
      pack,
    }),
    embedOriginsOf: createEmbedOriginsOf({
      accounts,
      ownerOfVerification: verifications.ownerOf,
      ownerOfSession: sessionStore.accountOfOpen,
    }),
    readyz: createReadyz({
      store,
      tokenKeys,
      phase,
      unreadableCollections: ports.unreadableCollections,
      troubles: ports.troubles,
    }),
    pack,
    now,
    onFailure,
  }
}
