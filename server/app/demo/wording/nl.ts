import type { AnswerWording } from './answer-wording.ts'

export const nl: AnswerWording = {
  locale: 'nl',
  direction: 'ltr',
  title: 'Wat er terugkwam',
  verdict: { passed: 'Geslaagd', failed: 'Niet geslaagd', untrusted: 'Niet te vertrouwen' },
  why: {
    passed: 'Aan alles wat gevraagd werd, is voldaan.',
    failed: 'Er is geen reden genoemd.',
    untrusted: 'Dit antwoord kan onderweg veranderd zijn; over de controle wordt daarom niets gezegd.',
  },
  reasons: {
    noFace: 'Op de beelden was geen gezicht te vinden.',
    multipleFaces: 'Er was meer dan één gezicht te zien.',
    livenessFailed: 'De beelden leken niet van een levend mens, of waren al eens verzonden.',
    challengeFailed: 'Het gevraagde is niet op tijd gedaan, of er is iets anders gedaan.',
    personChanged: 'Het was niet steeds dezelfde persoon.',
    lowQuality: 'De beelden waren te donker, te onscherp of te klein.',
    ageNotMet: 'De geschatte leeftijd voldoet niet aan de regel.',
    ageUncertain: 'De leeftijd kon niet zeker genoeg geschat worden.',
    duplicateFace: 'Dit gezicht was al eens gezien.',
    faceMismatch: 'Het gezicht hoort niet bij het externe kenmerk.',
    externalIdMissing: 'De link noemt geen extern kenmerk, dat deze controle nodig heeft.',
    externalIdUnknown: 'Het externe kenmerk is nog niet bekend.',
    consentDeclined: 'Er is niet ingestemd, of de pagina is verlaten.',
    cameraUnavailable: 'Er was geen camera die gebruikt kon worden.',
    sessionExpired: 'Het kwartier was om.',
    assuranceTooLow: 'Het was niet zeker genoeg dat er een levend mens was.',
    evidenceMissing: 'Er ontbraken beelden die deze pagina altijd verstuurt.',
    alternativeChosen: 'De andere weg die de configuratie noemt, is gekozen.',
  },
  signature: {
    Valid: 'De handtekening klopt: dit resultaat komt van deze server en niemand heeft het veranderd.',
    Invalid: 'De handtekening klopt niet: geloof dit resultaat niet.',
    Expired: 'De handtekening klopte, maar de tijd ervan is om.',
    NonceAlreadyUsed: 'De handtekening klopte, maar was al gebruikt.',
  },
  again: 'Nog eens',
  details: 'Alles wat terugkwam, naam voor naam',
  tag: 'demo op deze computer',
  footer:
    'Beelden gaan alleen naar deze server en worden niet bewaard. Een resultaat blijft 7 dagen. Waar een gezicht herkend moet worden, blijft een getallencode ervan op deze server.',
}
