import type { AskerWording } from '../wording.ts'

export const asking: AskerWording = {
  asker: {
    tab: '{account}: weryfikacja twarzy',
    tabAlone: 'Weryfikacja twarzy',
    ask: 'Zapytaj {account}',
  },
  loading: {
    title: 'Wczytywanie weryfikacji',
    progress: 'Wczytywanie przez sieć: {loaded} z {total} MB',
    wrongFile:
      'Sieć odesłała coś innego. Jeśli wymaga logowania, proszę najpierw się zalogować. W przeciwnym razie proszę użyć innej sieci.',
  },
  getReady: {
    light: 'Twarzą do światła',
    phone: 'Telefon na wysokości oczu',
    desk: 'Kamera na wysokości oczu',
    moves: 'Ruch dopiero na prośbę',
    time: 'Około 10 sekund, bez błysków.',
  },
  unblock: {
    chromeAndroid: 'Proszę dotknąć ikony obok adresu, następnie Uprawnienia, Aparat i Zezwól.',
    firefox: 'Proszę wybrać symbol kamery obok adresu, usunąć blokadę i spróbować ponownie.',
    firefoxAndroid: 'Proszę dotknąć kłódki obok adresu, następnie Aparat, aż pojawi się Zezwolono.',
    safari: 'Proszę otworzyć menu Safari, następnie Ustawienia dla tej witryny, Kamera i Pozwól.',
  },
  inApp: {
    title: 'W aplikacji {app} nie można otworzyć kamery',
    text: 'Proszę otworzyć menu aplikacji {app} (⋯ lub ⋮) i wybrać „Otwórz w przeglądarce”. Można też skopiować link i otworzyć go w Safari lub Chrome.',
  },
  surroundings: {
    noPicture: {
      title: 'Ta kamera nie pokazuje obrazu',
      text: 'Proszę odsłonić kamerę lub wybrać inną.',
    },
    smallPicture: {
      title: 'Obraz z tej kamery jest za mały',
      text: 'Proszę wybrać inną kamerę lub otworzyć weryfikację na innym urządzeniu.',
    },
    hiddenPictures: {
      title: 'Ta przeglądarka ukrywa obraz z kamery',
      text: 'Proszę zezwolić tej stronie na dane canvas symbolem obok adresu i odświeżyć. Albo otworzyć link w innej przeglądarce.',
    },
    noWebAssembly: {
      title: 'WebAssembly jest wyłączone',
      text: 'Proszę zezwolić na nie tej stronie w ustawieniach zabezpieczeń i odświeżyć. Albo otworzyć link w innej przeglądarce.',
    },
    slowNetwork: {
      title: 'Sieć jest teraz zbyt wolna',
      text: 'Proszę zmienić sieć lub podejść bliżej i spróbować ponownie.',
    },
  },
}
