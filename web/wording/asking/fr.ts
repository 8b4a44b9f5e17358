import type { Asking } from '../wording.ts'

export const asking: Asking = {
  asker: {
    tab: '{account}\u00a0: vérification du visage',
    tabAlone: 'Vérification du visage',
    ask: 'Demander à {account}',
  },
  loading: {
    title: 'Chargement de la vérification',
    progress: 'Chargement par votre réseau\u00a0: {loaded} Mo sur {total}',
    wrongFile:
      'Votre réseau a renvoyé autre chose. S’il demande une connexion, commencez par là. Sinon, utilisez un autre réseau.',
  },
  getReady: {
    desk: 'Asseyez-vous face à une lumière, les yeux à hauteur de la caméra. Environ 20 secondes, sans clignotement.',
    moves: 'Restez d’abord immobile, puis bougez comme indiqué. Chaque mouvement s’affichera le moment venu.',
  },
  unblock: {
    chromeAndroid: 'Touchez l’icône à côté de l’adresse, puis Autorisations, puis Caméra, puis Autoriser.',
    firefox: 'Choisissez le symbole de caméra à côté de l’adresse, retirez le blocage, puis réessayez.',
    firefoxAndroid: 'Touchez le cadenas à côté de l’adresse, puis Caméra, jusqu’à ce que s’affiche Autorisé.',
    safari: 'Ouvrez le menu Safari, puis Réglages pour ce site web, puis Caméra, puis Autoriser.',
  },
  inApp: {
    title: 'La caméra ne peut pas s’ouvrir dans {app}',
    text: 'Ouvrez le menu de {app} (⋯ ou ⋮) et choisissez «\u00a0Ouvrir dans le navigateur\u00a0». Vous pouvez aussi copier le lien et l’ouvrir dans Safari ou Chrome.',
  },
}
