import type { Defence } from '../defence.ts'

const tampering = 'tests/security/tampering.test.ts'
const opening = 'tests/server/features/sessions/opening/opening-link.test.ts'
const openingSource = 'server/features/sessions/opening/opening.ts'
const links = 'tests/server/features/links/signatures.test.ts'
const redirect = 'tests/server/features/sessions/results/redirect.test.ts'
const submission = 'server/features/sessions/judging/page-submission.ts'
const evidence = 'tests/server/features/sessions/judging/page-submission-evidence.test.ts'
const kept = 'tests/server/features/sessions/judging/further-try-kept.test.ts'
const binding = 'tests/server/features/sessions/passkeys/binding.test.ts'
const bindingSource = 'server/features/sessions/passkeys/binding.ts'
const passkeys = 'tests/server/features/sessions/passkeys/passkeys.test.ts'
const attestation = 'tests/server/platform/web-authn/attestation/attestation.test.ts'
const attestationSource = 'server/platform/web-authn/attestation'
const findings = 'tests/models/rules/liveness/session-liveness.test.ts'

/** Visits: the link, the pictures, the verdict, the way back, and passkeys. */
export const sessionDefences: readonly Defence[] = [
  {
    rows: ['2.2.2', '8.3.1', 'a forged report of the device'],
    test: [tampering, 'when the device reports success'],
    without: [
      [
        submission,
        'const judged = withStanding(judge(record, seen), record.before?.standing)',
        "const judged = { ...withStanding(judge(record, seen), record.before?.standing), ...(record.deviceReport?.verificationResult === 'Pass' && { reasons: [] }) }",
      ],
    ],
  },
  {
    rows: ['2.3.1'],
    test: [tampering, 'when an action is sent with the submit instead of in its step'],
    without: [
      [
        'models/rules/liveness/session-liveness.ts',
        'actionsMissing: actionsPerformed(steps) < actionsToPerform(seen.actionCount, steps),',
        'actionsMissing: false,',
      ],
    ],
  },
  {
    rows: ['2.3.1'],
    test: [tampering, 'nothing changes a session after it is completed'],
    without: [
      [
        submission,
        'if (record.outcome !== null || isAnswered(given, record)) return null',
        'if (isAnswered(given, record)) return null',
      ],
      [
        submission,
        'if (endedBy(body) === undefined && numberOf(body) !== record.tries + 1)',
        'if (endedBy(body) === undefined && numberOf(body) < 0)',
      ],
    ],
  },
  {
    rows: ['2.3.2'],
    test: [tampering, 'are stopped with 429 until an hour has passed'],
    without: [
      [
        'server/features/sessions/opening/attempts.ts',
        'if (times.length < limit) return',
        'if (times.length >= 0) return',
      ],
    ],
  },
  {
    rows: ['sessions that are ended for nothing'],
    test: [
      'tests/server/features/sessions/opening/attempts.test.ts',
      'count when an action was shown before the person ended them, not before: %s',
    ],
    without: [
      [
        'server/features/sessions/judging/decide-outcome.ts',
        'const hasSeenMuch = progress.drawn.length > 0 || before !== undefined',
        'const hasSeenMuch = progress.drawn.length > 100 || before !== undefined',
      ],
    ],
  },
  {
    rows: ['five failures locked'],
    test: [
      'tests/server/features/sessions/opening/attempts.test.ts',
      'of one account count for no other, also at the same address',
    ],
    without: [
      [
        'server/features/sessions/opening/attempts.ts',
        'keys.push(`address|${accountId}|',
        'keys.push(`address|',
      ],
    ],
  },
  {
    rows: ['pictures taken after the challenge'],
    test: [
      tampering,
      'when pictures of after the challenge, in which the head moves, are said to be of an earlier step',
    ],
    without: [
      [
        submission,
        'body.frames.map((frame) => ({ ...frame, challengeStep: lastRevealed })),',
        'body.frames,',
      ],
    ],
  },
  {
    rows: ['one person performs the actions'],
    test: [tampering, 'when another person gives the portrait'],
    without: [['models/rules/verdict.ts', "if (!isOnePerson(faces)) reasons.push('personChanged')", '']],
  },
  {
    rows: ['the same picture sent again'],
    test: [tampering, 'when frames come from another session'],
    without: [
      [
        'server/features/sessions/judging/analyse-frames.ts',
        'remembers ? await memory.reuseOf(session, picture.bytes, found) :',
        'remembers && index < 0 ? await memory.reuseOf(session, picture.bytes, found) :',
      ],
    ],
  },
  {
    rows: ['the same picture sent again'],
    test: ['tests/processes/pictures.test.ts', 'know what came to the other one, encoded anew'],
    without: [
      [
        'server/features/sessions/pictures/known-pictures.ts',
        'const reuse = compare(other.numbers, picture.numbers)',
        "const reuse = compare(other.numbers, picture.numbers) && ('none' as Reuse)",
      ],
    ],
  },
  {
    rows: ['the pictures of an earlier try', 'the pictures of a failed try'],
    test: [kept, 'count for nothing in the next one: with at least half of them it fails'],
    without: [[submission, 'earlier: before?.pictures ?? [],', 'earlier: [],']],
  },
  {
    rows: ['the pictures of a failed try'],
    test: [
      'tests/server/features/sessions/judging/analyse-frames.test.ts',
      'a picture is known by what it shows, whatever its file holds besides',
    ],
    without: [
      [
        'server/features/sessions/pictures/picture-digest.ts',
        'seen === undefined ? jpegBytes : new Uint8Array',
        'seen === undefined || jpegBytes.length > 0 ? jpegBytes : new Uint8Array',
      ],
    ],
  },
  {
    rows: ["the next try's report"],
    test: [kept, 'is reported of whoever %s then'],
    without: [['server/features/sessions/results/hints.ts', '...(before?.injectionHints ?? []), ', '']],
  },
  {
    rows: ['one film of somebody', 'one film, of anybody'],
    test: [evidence, 'serves one visit: in another one it counts for nothing'],
    without: [
      [
        'server/features/sessions/judging/submit.ts',
        'trail: await films.compare(marked, film) }',
        'trail: films === undefined ? [] : film }',
      ],
    ],
  },
  {
    rows: ['one film, of anybody'],
    test: [evidence, 'of another try that is %s (%j) leaves it with %j'],
    without: [
      [
        'server/features/sessions/pictures/film-look-up.ts',
        'return a.sessionId === b.sessionId && a.tries === b.tries',
        'return a.sessionId === b.sessionId',
      ],
    ],
  },
  {
    rows: ['noise or blur added'],
    test: ['tests/models/rules/liveness/live-score.test.ts', '%j is %d'],
    without: [['models/rules/liveness/live-score.ts', 'heard * Math.min(raw, blurred)', 'heard * raw']],
  },
  {
    rows: ['a photograph passed'],
    test: [findings, 'are passiveScoreLow where the frontal frames do not look live'],
    without: [
      [
        'models/rules/liveness/session-liveness.ts',
        'passiveScoreLow: isPassiveScoreLow(frontal),',
        'passiveScoreLow: false,',
      ],
    ],
  },
  {
    rows: ['1.1.1', '30 altered links', 'parameters hidden'],
    test: ['tests/security/odd-links.test.ts', 'a link with %s opens, and comes back as it was meant'],
    without: [
      [
        'server/features/links/canonical-query.ts',
        'return query.replace(mustEncode, percentEncode)',
        'return query.replace(mustEncode, (character) => character || percentEncode(character))',
      ],
    ],
  },
  {
    rows: ['parameters hidden'],
    test: [
      opening,
      'takes an unsigned link where signing is not forced, but a signature that is there must be right',
    ],
    without: [
      [
        openingSource,
        "const claimsSignature = names.includes('reSignature')",
        "const claimsSignature = query.includes('&reSignature')",
      ],
    ],
  },
  {
    rows: ['parameters hidden'],
    test: [links, 'refuses the query %j'],
    without: [
      [
        'server/features/links/signatures.ts',
        '      const names = decodedNames(query)\n',
        "      const names = query.split('&').map((pair) => pair.split('=')[0]!)\n",
      ],
    ],
  },
  {
    rows: ['2.2.3'],
    test: [links, 'names both rules that are broken'],
    without: [
      [
        'shared/contract/configuration/signature.ts',
        'settings.expirationEnabled || !settings.enableNonce',
        'settings.expirationEnabled !== undefined',
      ],
    ],
  },
  {
    rows: ['2.3.4', 'a stolen link', 'one link many times at once'],
    test: [opening, 'opens one session when a one-time link is used fifty times at once'],
    without: [
      [
        openingSource,
        'return { writes: [write], guards: [guard] }',
        'void guard; return { writes: [write], guards: [] }',
      ],
    ],
  },
  {
    rows: ['a link moved', '30 altered links'],
    test: [opening, 'refuses a link that was moved to another verification'],
    without: [[openingSource, 'if (meant !== undefined && meant !== verificationId) throw unsigned()', '']],
  },
  {
    rows: ['a link posing as a result'],
    test: [opening, 'refuses a result as a link, and a link of another account'],
    without: [
      [
        'server/features/links/signatures.ts',
        '`query-signature|${purpose}`',
        "purpose === 'link' || true ? 'query-signature|link' : ''",
      ],
      [
        openingSource,
        'if (names.some((name) => (resultOnlyNames as readonly string[]).includes(name))) throw unsigned()',
        'void resultOnlyNames',
      ],
    ],
  },
  {
    rows: ['3.7.2', 'an unsigned link switched'],
    test: [opening, 'are ignored in an unsigned link, whatever they are; the rest of it counts'],
    without: [
      [
        'server/features/links/link-inputs.ts',
        'all.filter(([name]) => signed || !isReserved(name) || unsignedNames.has(name))',
        'all.filter(([name]) => signed || name !== unsignedNames.toString())',
      ],
    ],
  },
  {
    rows: ['3.7.2', 'open redirects'],
    test: [opening, 'to %s are refused'],
    without: [
      [
        'server/features/links/link-inputs.ts',
        "if (fault !== undefined) throw refused([{ pointer: '#/queryString', message: `${name}: ${fault}` }])",
        '',
      ],
    ],
  },
  {
    rows: ['1.2.2', 'open redirects'],
    test: [redirect, 'may not be %.60s'],
    without: [
      ['shared/web-address.ts', "if (parts.userInfo) return 'Must not contain user information.'", ''],
    ],
  },
  {
    rows: ['a signed result was valid'],
    test: [redirect, 'of a signed address bind it to one session of one verification, in whole seconds'],
    without: [
      [
        'server/features/sessions/results/redirect.ts',
        '...(include.includeSignature === true ? bindingOf(result, ending) : []),',
        '',
      ],
    ],
  },
  {
    rows: ['twelve simultaneous reviews'],
    test: [
      'tests/server/features/sessions/results/reviewing.test.ts',
      'leave the first standing: one is answered 200, the others 409',
    ],
    without: [
      ['server/features/sessions/results/reviewing.ts', '      refuseUnseen(read.value, ifReviewedAt)\n', ''],
    ],
  },
  {
    rows: ['twelve simultaneous reviews'],
    test: [
      'tests/server/features/sessions/results/reviewing.test.ts',
      'is refused with 409 where somebody else reviewed meanwhile, and changes nothing then',
    ],
    without: [
      ['server/features/sessions/results/reviewing.ts', '      refuseUnseen(read.value, ifReviewedAt)\n', ''],
    ],
  },
  {
    rows: ['a passkey of another page'],
    test: [passkeys, 'is refused where it counts backwards, as a copy would'],
    without: [
      [
        'server/platform/web-authn/web-authn.ts',
        'credential: { id, publicKey, counter, transports: [...transports] },',
        'credential: { id, publicKey, counter: 0 * counter, transports: [...transports] },',
      ],
    ],
  },
  {
    rows: ['a passkey of another page'],
    test: [passkeys, 'of another face lowers to standard, and none is offered for that face'],
    without: [
      [
        'models/rules/liveness/evidence/bound-face.ts',
        'return scoreOf(cosine, by) >= matchScore',
        'return scoreOf(cosine, by) >= -matchScore',
      ],
    ],
  },
  {
    rows: ['a passkey of another page'],
    test: [passkeys, 'is refused where it shows %s'],
    without: [
      ['server/platform/web-authn/web-authn.ts', 'expectedTopOrigin: [...embedOrigins],', ''],
      [
        'server/platform/web-authn/web-authn.ts',
        `    response: response as AuthenticationResponseJSON,
    expectedChallenge: challenge,`,
        `    response: response as AuthenticationResponseJSON,
    expectedChallenge: () => challenge !== '',`,
      ],
    ],
  },
  {
    rows: ['a passkey of another page', 'a forger with a link'],
    test: [binding, 'is not offered where that one is not shown: %s'],
    without: [
      [
        bindingSource,
        'if (!isVouchedFor || bound.length >= mostPasskeys) return false',
        'if (bound.length >= mostPasskeys) return !isVouchedFor',
      ],
    ],
  },
  {
    rows: ['a forger with a link'],
    test: [binding, 'is not offered to the face of a stranger, who shows the one that is bound'],
    without: [
      [
        bindingSource,
        'return isOfBoundFace(seen.embedding, face)',
        'return isOfBoundFace(face.embedding, face)',
      ],
    ],
  },
  {
    rows: ['a forger with a link'],
    test: [binding, 'is the tenth at most: an eleventh is refused, and none is pushed out'],
    without: [[bindingSource, 'const mostPasskeys = 10', 'const mostPasskeys = 11']],
  },
  {
    rows: ['a forger with a link'],
    test: [binding, 'takes back what was bound %s, and keeps the face that bound it'],
    without: [
      [
        'server/features/sessions/passkeys/passkey-store.ts',
        'if (guard.value === undefined && face !== undefined) writes.push(shelves.writeFace(owner, face))',
        'writes.push(faces.write(owner, faceId, undefined)); void face',
      ],
    ],
  },
  {
    rows: ['a stolen device'],
    test: ['tests/server/platform/web-authn/attestation/revoked-devices.test.ts', 'is revoked by %s'],
    without: [
      [`${attestationSource}/lapse.ts`, "if (revoked?.includes(attestation)) return 'deviceRevoked'\n", ''],
    ],
  },
  {
    rows: ['one stolen or leaked device'],
    test: [
      'tests/server/features/sessions/results/device-findings.test.ts',
      'a device that is revoked after its passkey was bound leads to standard from the next visit on',
    ],
    without: [
      [`${attestationSource}/lapse.ts`, "if (revoked?.includes(attestation)) return 'deviceRevoked'\n", ''],
    ],
  },
  {
    rows: ['a stolen device', 'one stolen or leaked device'],
    test: [
      'tests/server/platform/web-authn/attestation/android-key.test.ts',
      'a phone does not count as attested if %s',
    ],
    without: [
      [
        `${attestationSource}/attestation.ts`,
        "return isLockedAndVerified(own) ? undefined : 'unlockedDevice'",
        'return void own',
      ],
    ],
  },
  {
    rows: ['a fake device'],
    test: [
      'tests/server/platform/web-authn/attestation/chain.test.ts',
      'another of the same name vouches for nobody, nor does one whose signature is not its own',
    ],
    without: [[`${attestationSource}/chain.ts`, ' &&\n    certificate.verify(issuer.publicKey)', '']],
  },
  {
    rows: ['a software passkey'],
    test: [
      'tests/server/platform/web-authn/attestation/chain.test.ts',
      'a device is no authority: what it signs is vouched for by nobody',
    ],
    without: [[`${attestationSource}/chain.ts`, 'issuer.ca &&', '']],
  },
  {
    rows: ['a software passkey', 'a fake device'],
    test: [attestation, 'does so no more once it may be copied'],
    without: [[`${attestationSource}/lapse.ts`, "if (isSynced) return 'synced'", '']],
  },
  {
    rows: ['a software passkey'],
    test: [attestation, 'does so no more once the root is trusted no more'],
    without: [
      [
        `${attestationSource}/lapse.ts`,
        "if (standingRoot(roots, attestation.root, now) === undefined) return 'rootWithdrawn'",
        "if (roots === undefined && now < 0) return 'rootWithdrawn'",
      ],
    ],
  },
  {
    rows: ['a software passkey'],
    test: [attestation, 'notAsked, where no root is trusted; nor is one of before'],
    without: [[submission, 'passkey?.verified?.isAttested && {', 'passkey?.verified && {']],
  },
  {
    rows: ['the server fetched addresses', 'a fake device'],
    test: [attestation, 'no address that a statement names is asked for anything, with roots and without'],
    without: [
      [
        'server/platform/web-authn/web-authn.ts',
        'const stripped = withoutStatement(answer.response as RegistrationResponseJSON)',
        'void withoutStatement; const stripped = answer.response as RegistrationResponseJSON',
      ],
    ],
  },
]
