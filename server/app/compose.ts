import { createFramingOf } from '#server/features/accounts/accounts.ts'
import { createAttention } from '#server/features/attention/attention.ts'
import { createKiosks } from '#server/features/kiosks/kiosks.ts'
import { createOpenid } from '#server/features/openid/openid.ts'
import { createOperators } from '#server/features/operators/operators.ts'
import { createPrivacy } from '#server/features/privacy/privacy.ts'
import { createSessions } from '#server/features/sessions/sessions.ts'
import { createVerify } from '#server/features/verify/verify.ts'
import { composeFoundation } from './compose-foundation.ts'
import type { Ports } from './ports.ts'
import { createReadyz } from './readiness.ts'

/** Everything that the endpoints, the pages and the command line call. */
export type Services = ReturnType<typeof composeServices>

/**
 * Constructs every feature from its ports, for the server, for a command next to it and for a restore alike. Constructs
 * no port itself, and starts nothing.
 */
export function composeServices(ports: Ports) {
  const { store, pack, collectionLimit, now, onFailure } = ports
  const known = composeFoundation(ports)
  const { accounts, tokenKeys, tokenService, recognition, verifications, audit, events, analyseImage } = known
  const sessions = createSessions(
    { records: ports, services: ports, endpoints: ports },
    { ...known, captures: known.kioskRecords.captures },
  )
  const { sessionStore, submit, personVisits, lastChange, waitingReviews } = sessions
  const kiosks = createKiosks(ports, { ...known, sessionStore, submit })
  const openid = createOpenid({
    store,
    keyRing: ports.keyRing,
    accounts,
    verifications,
    openVisit: sessions.openVisit,
    readSession: sessions.readSession,
    origin: ports.origin,
    isOn: ports.isOpenidProvider ?? false,
    canReachHigh: ports.passkeyRoots !== undefined,
    now,
    onFailure,
  })
  return {
    ...known,
    ...sessions,
    ...sessions.upkeep,
    openid,
    ...kiosks,
    attention: createAttention({ ...ports, ...known, kiosks: kiosks.kiosks, waitingReviews }),
    ...createPrivacy({
      recognition,
      personVisits,
      aliases: known.aliases,
      keptAnswers: known.keptAnswers,
      signIns: openid.signIns,
      now,
    }),
    ...createOperators(ports, { accounts, audit, lastChange }),
    verify: createVerify({
      store,
      access: recognition.access,
      analyseImage,
      tokenService,
      events,
      collectionLimit,
      pack,
    }),
    framingOf: createFramingOf({
      accounts,
      ownerOfVerification: verifications.ownerOf,
      findOpenSession: sessionStore.findOpen,
    }),
    readyz: createReadyz({ ...ports, tokenKeys }),
    pack,
    now,
    onFailure,
  }
}
