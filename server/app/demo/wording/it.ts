import type { AnswerWording } from './answer-wording.ts'

export const it: AnswerWording = {
  locale: 'it',
  direction: 'ltr',
  title: 'Che cosa è tornato',
  verdict: { passed: 'Superata', failed: 'Non superata', untrusted: 'Non affidabile' },
  why: {
    passed: 'Tutto quello che era richiesto è soddisfatto.',
    failed: 'Non è indicato alcun motivo.',
    untrusted: 'Questa risposta può essere stata cambiata per strada: della verifica non si dice nulla.',
  },
  reasons: {
    noFace: 'Nelle immagini non c’era alcun volto.',
    multipleFaces: 'Si vedeva più di un volto.',
    livenessFailed: 'Le immagini non sembravano di una persona viva, o erano già state inviate.',
    challengeFailed: 'Ciò che era chiesto non è stato fatto in tempo, o è stato fatto altro.',
    personChanged: 'Non era sempre la stessa persona.',
    lowQuality: 'Le immagini erano troppo scure, troppo sfocate o troppo piccole.',
    ageNotMet: 'L’età stimata non soddisfa la regola.',
    ageUncertain: 'L’età non si è potuta stimare con abbastanza certezza.',
    duplicateFace: 'Questo volto era già stato visto.',
    faceMismatch: 'Il volto non è quello dell’identificativo esterno.',
    externalIdMissing: 'Il link non indica l’identificativo esterno che serve a questa verifica.',
    externalIdUnknown: 'L’identificativo esterno non è ancora noto.',
    consentDeclined: 'La persona non ha accettato, o se n’è andata.',
    cameraUnavailable: 'Non c’era una fotocamera utilizzabile.',
    sessionExpired: 'Il quarto d’ora era finito.',
    assuranceTooLow: 'Non era abbastanza certo che ci fosse una persona viva.',
    evidenceMissing: 'Mancavano immagini che questa pagina invia sempre.',
    alternativeChosen: 'La persona ha preso l’altra via indicata dalla configurazione.',
  },
  signature: {
    Valid: 'La firma è valida: il risultato viene da questo server e nessuno lo ha cambiato.',
    Invalid: 'La firma non è valida: non si fidi di questo risultato.',
    Expired: 'La firma era valida, ma il suo tempo è finito.',
    NonceAlreadyUsed: 'La firma era valida, ma è già stata usata.',
  },
  again: 'Riprova',
  details: 'Tutto ciò che è tornato, nome per nome',
  tag: 'demo su questo computer',
  footer:
    'Le immagini vanno solo a questo server e non vengono conservate. Un risultato resta 7 giorni. Dove un volto va riconosciuto, un suo codice numerico resta su questo server.',
}
