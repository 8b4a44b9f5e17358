import type { Asking } from '../wording.ts'

export const asking: Asking = {
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
    desk: 'Proszę usiąść twarzą do światła, z oczami na wysokości kamery. Około 20 sekund, bez błysków.',
    moves:
      'Najpierw proszę się nie ruszać, potem wykonać ruch jak na rysunku. Każdy ruch pojawi się we właściwej chwili.',
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
}
