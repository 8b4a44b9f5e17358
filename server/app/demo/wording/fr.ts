import type { AnswerWording } from './answer-wording.ts'

export const fr: AnswerWording = {
  locale: 'fr',
  direction: 'ltr',
  title: 'Réponse reçue',
  verdict: {
    passed: 'Vérification réussie',
    failed: 'Vérification non réussie',
    untrusted: 'Réponse non fiable',
  },
  why: {
    passed: 'Toutes les conditions demandées sont remplies.',
    failed: 'Aucune raison n’a été indiquée.',
    untrusted:
      'Cette réponse a pu être modifiée en chemin\u00a0: nous ne disons donc rien de la vérification.',
  },
  reasons: {
    noFace: 'Aucun visage n’a été trouvé sur les images.',
    multipleFaces: 'Plus d’un visage était visible.',
    livenessFailed: 'Les images ne ressemblaient pas à une personne vivante, ou avaient déjà été envoyées.',
    challengeFailed: 'Ce qui était demandé n’a pas été fait à temps, ou autre chose a été fait.',
    personChanged: 'Ce n’était pas la même personne du début à la fin.',
    lowQuality: 'Les images étaient trop sombres, trop floues ou trop petites.',
    ageNotMet: 'L’âge estimé ne répond pas à la règle.',
    ageUncertain: 'L’âge n’a pas pu être estimé avec assez de certitude.',
    duplicateFace: 'Ce visage avait déjà été vu.',
    faceMismatch: 'Le visage n’est pas celui qui correspond à l’identifiant externe.',
    referenceMismatch: 'Le visage n’est pas celui de l’image fournie pour la comparaison.',
    denied: 'Le visage est l’un de ceux qui ne doivent pas passer.',
    externalIdMissing: 'Le lien ne comporte pas l’identifiant externe dont cette vérification a besoin.',
    externalIdUnknown: 'L’identifiant externe n’est pas encore connu.',
    consentDeclined: 'La personne n’a pas accepté, ou est partie.',
    cameraUnavailable: 'Aucune caméra n’était utilisable.',
    sessionExpired: 'Le quart d’heure était écoulé.',
    assuranceTooLow: 'La présence d’une personne vivante n’était pas assez certaine.',
    evidenceMissing: 'Il manquait des images que cette page envoie toujours.',
    alternativeChosen: 'La personne a choisi l’autre façon prévue par la configuration.',
  },
  signature: {
    Valid: 'La signature est valable\u00a0: ce résultat vient de ce serveur et personne ne l’a modifié.',
    Invalid: 'La signature n’est pas valable\u00a0: ne vous fiez pas à ce résultat.',
    Expired: 'La signature était valable, mais son délai est dépassé.',
    NonceAlreadyUsed: 'La signature était valable, mais elle a déjà servi.',
  },
  again: 'Réessayer',
  details: 'Tout ce qui a été reçu, champ par champ',
  tag: 'démo sur cet ordinateur',
  footer:
    'Les images ne vont qu’à ce serveur et ne sont pas conservées. Un résultat est conservé 7 jours. Lorsqu’un visage doit être reconnu plus tard, un code numérique de ce visage est conservé sur ce serveur.',
}
