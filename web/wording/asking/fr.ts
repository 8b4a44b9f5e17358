import type { AskerWording } from '../wording.ts'

export const asking: AskerWording = {
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
    light: 'Face à une lumière',
    phone: 'Téléphone à hauteur des yeux',
    desk: 'Caméra à hauteur des yeux',
    moves: 'Bougez quand on vous le demande',
    time: 'Environ 10 secondes, sans clignotement.',
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
  surroundings: {
    noPicture: {
      title: 'Cette caméra n’affiche aucune image',
      text: 'Ouvrez son cache ou choisissez une autre caméra.',
    },
    smallPicture: {
      title: 'L’image de cette caméra est trop petite',
      text: 'Choisissez une autre caméra ou ouvrez la vérification sur un autre appareil.',
    },
    hiddenPictures: {
      title: 'Ce navigateur masque l’image de la caméra',
      text: 'Autorisez les données canvas pour cette page avec l’icône près de l’adresse, puis rechargez. Ou ouvrez le lien dans un autre navigateur.',
    },
    noWebAssembly: {
      title: 'WebAssembly est désactivé ici',
      text: 'Autorisez-le pour cette page dans les réglages de sécurité du navigateur, puis rechargez. Ou ouvrez le lien dans un autre navigateur.',
    },
    slowNetwork: {
      title: 'Le réseau est trop lent en ce moment',
      text: 'Changez de réseau ou rapprochez-vous de celui-ci, puis réessayez.',
    },
  },
}
