import type { AnswerWording } from './answer-wording.ts'

export const de: AnswerWording = {
  locale: 'de',
  direction: 'ltr',
  title: 'Was zurückkam',
  verdict: { passed: 'Bestanden', failed: 'Nicht bestanden', untrusted: 'Nicht vertrauenswürdig' },
  why: {
    passed: 'Alles, was verlangt war, ist erfüllt.',
    failed: 'Ein Grund wurde nicht genannt.',
    untrusted:
      'Diese Antwort kann unterwegs verändert worden sein, deshalb wird über die Prüfung nichts gesagt.',
  },
  reasons: {
    noFace: 'Auf den Bildern war kein Gesicht zu finden.',
    multipleFaces: 'Es war mehr als ein Gesicht zu sehen.',
    livenessFailed:
      'Die Bilder sahen nicht nach einem lebenden Menschen aus oder wurden schon einmal gesendet.',
    challengeFailed: 'Das Verlangte wurde nicht rechtzeitig getan, oder es wurde etwas anderes getan.',
    personChanged: 'Es war nicht durchgehend dieselbe Person.',
    lowQuality: 'Die Bilder waren zu dunkel, zu unscharf oder zu klein.',
    ageNotMet: 'Das geschätzte Alter erfüllt die Regel nicht.',
    ageUncertain: 'Das Alter ließ sich nicht sicher genug schätzen.',
    duplicateFace: 'Dieses Gesicht wurde schon einmal gesehen.',
    faceMismatch: 'Das Gesicht gehört nicht zur externen Kennung.',
    referenceMismatch: 'Das Gesicht ist nicht das auf dem Bild, das zum Vergleich übergeben wurde.',
    denied: 'Das Gesicht ist eines, das nicht durchgelassen werden soll.',
    externalIdMissing: 'Der Link nennt keine externe Kennung, die diese Prüfung braucht.',
    externalIdUnknown: 'Die externe Kennung ist noch nicht bekannt.',
    consentDeclined: 'Es wurde nicht zugestimmt, oder die Seite wurde verlassen.',
    cameraUnavailable: 'Es gab keine Kamera, die benutzt werden konnte.',
    sessionExpired: 'Die Viertelstunde war vorbei.',
    assuranceTooLow: 'Es war nicht sicher genug, dass ein lebender Mensch da war.',
    evidenceMissing: 'Es fehlten Bilder, die diese Seite immer sendet.',
    alternativeChosen: 'Es wurde der andere Weg gewählt, den die Konfiguration nennt.',
  },
  signature: {
    Valid: 'Die Signatur stimmt: Dieses Ergebnis kommt von diesem Server, und niemand hat es verändert.',
    Invalid: 'Die Signatur stimmt nicht: Glauben Sie diesem Ergebnis nicht.',
    Expired: 'Die Signatur stimmte, aber ihre Zeit ist vorbei.',
    NonceAlreadyUsed: 'Die Signatur stimmte, wurde aber schon benutzt.',
  },
  again: 'Noch einmal',
  details: 'Alles, was zurückkam, Name für Name',
  tag: 'Demo auf diesem Rechner',
  footer:
    'Bilder gehen nur an diesen Server und werden nicht gespeichert. Ein Ergebnis bleibt 7 Tage. Wo ein Gesicht wiedererkannt werden soll, bleibt ein Zahlencode davon im Speicher dieses Servers.',
}
