import type { AnswerWording } from './answer-wording.ts'

export const fr: AnswerWording = {
  locale: 'fr',
  direction: 'ltr',
  title: 'Ce qui est revenu',
  verdict: { passed: 'Réussi', failed: 'Non réussi', untrusted: 'Pas digne de confiance' },
  why: {
    passed: 'Tout ce qui était demandé est rempli.',
    failed: 'Aucune raison n’est donnée.',
    untrusted: 'Cette réponse a pu être modifiée en chemin : rien n’est dit du contrôle.',
  },
  reasons: {
    noFace: 'Aucun visage n’a été trouvé sur les images.',
    multipleFaces: 'Plus d’un visage était visible.',
    livenessFailed: 'Les images ne ressemblaient pas à une personne vivante, ou avaient déjà été envoyées.',
    challengeFailed: 'Ce qui était demandé n’a pas été fait à temps, ou autre chose a été fait.',
    personChanged: 'Ce n’était pas la même personne du début à la fin.',
    lowQuality: 'Les images étaient trop sombres, trop floues ou trop petites.',
    ageNotMet: 'L’âge estimé ne remplit pas la règle.',
    ageUncertain: 'L’âge n’a pas pu être estimé assez sûrement.',
    duplicateFace: 'Ce visage avait déjà été vu.',
    faceMismatch: 'Le visage n’est pas celui de l’identifiant externe.',
    externalIdMissing: 'Le lien ne nomme pas l’identifiant externe dont ce contrôle a besoin.',
    externalIdUnknown: 'L’identifiant externe n’est pas encore connu.',
    consentDeclined: 'La personne n’a pas accepté, ou est partie.',
    cameraUnavailable: 'Aucune caméra ne pouvait être utilisée.',
    sessionExpired: 'Le quart d’heure était écoulé.',
    assuranceTooLow: 'Il n’était pas assez sûr qu’une personne vivante était là.',
    evidenceMissing: 'Il manquait des images que cette page envoie toujours.',
    alternativeChosen: 'La personne a pris l’autre voie que nomme la configuration.',
  },
  signature: {
    Valid: 'La signature est bonne : ce résultat vient de ce serveur et personne ne l’a modifié.',
    Invalid: 'La signature n’est pas bonne : ne croyez pas ce résultat.',
    Expired: 'La signature était bonne, mais son délai est passé.',
    NonceAlreadyUsed: 'La signature était bonne, mais a déjà servi.',
  },
  again: 'Recommencer',
  details: 'Tout ce qui est revenu, nom par nom',
  tag: 'démo sur cette machine',
  footer:
    'Les images vont à ce serveur seulement et ne sont pas conservées. Un résultat est gardé 7 jours. Là où un visage doit être reconnu, un code numérique en reste sur ce serveur.',
}
