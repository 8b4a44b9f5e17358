import type { AnswerWording } from './answer-wording.ts'

export const it: AnswerWording = {
  locale: 'it',
  direction: 'ltr',
  title: 'Risposta ricevuta',
  verdict: { passed: 'Superata', failed: 'Non superata', untrusted: 'Non affidabile' },
  why: {
    passed: 'Tutto ciò che era richiesto è stato soddisfatto.',
    failed: 'Non è stato indicato alcun motivo.',
    untrusted:
      'Questa risposta potrebbe essere stata modificata lungo il percorso: della verifica quindi non si dice nulla.',
  },
  reasons: {
    noFace: 'Nelle immagini non è stato trovato alcun volto.',
    multipleFaces: 'Si vedeva più di un volto.',
    livenessFailed: 'Le immagini non sembravano di una persona viva, o erano già state inviate.',
    challengeFailed: 'Ciò che era richiesto non è stato fatto in tempo, o è stato fatto altro.',
    personChanged: 'Non è stata la stessa persona per tutto il tempo.',
    lowQuality: 'Le immagini erano troppo scure, troppo sfocate o troppo piccole.',
    ageNotMet: 'L’età stimata non soddisfa la regola.',
    ageUncertain: 'Non è stato possibile stimare l’età con sufficiente certezza.',
    duplicateFace: 'Questo volto era già stato visto.',
    faceMismatch: 'Il volto non corrisponde all’identificativo esterno.',
    referenceMismatch: 'Il volto non corrisponde all’immagine fornita per il confronto.',
    denied: 'Il volto è tra quelli che non devono passare.',
    externalIdMissing: 'Il link non contiene l’identificativo esterno necessario per questa verifica.',
    externalIdUnknown: 'L’identificativo esterno non è ancora noto.',
    consentDeclined: 'La persona non ha accettato, o se n’è andata.',
    cameraUnavailable: 'Non c’era una fotocamera utilizzabile.',
    sessionExpired: 'Il quarto d’ora è scaduto.',
    assuranceTooLow: 'Non era abbastanza certo che ci fosse una persona viva.',
    evidenceMissing: 'Mancavano immagini che questa pagina invia sempre.',
    alternativeChosen: 'La persona ha scelto l’altro modo indicato dalla configurazione.',
  },
  signature: {
    Valid: 'La firma è autentica: il risultato viene da questo server e nessuno lo ha modificato.',
    Invalid: 'La firma non è autentica: non si fidi di questo risultato.',
    Expired: 'La firma era autentica, ma è scaduta.',
    NonceAlreadyUsed: 'La firma era autentica, ma era già stata usata.',
  },
  again: 'Riprova',
  details: 'Tutto ciò che è stato ricevuto, campo per campo',
  tag: 'demo su questo computer',
  footer:
    'Le immagini vanno solo a questo server e non vengono conservate. Un risultato viene conservato 7 giorni. Se un volto deve essere riconosciuto in seguito, un suo codice numerico resta su questo server.',
}
