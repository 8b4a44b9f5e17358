import type { Asking } from '../wording.ts'

export const asking: Asking = {
  asker: {
    tab: '{account}: weryfikacja twarzy',
    tabAlone: 'Weryfikacja twarzy',
    ask: 'Zapytaj {account}',
  },
  getReady: {
    desk: 'Proszę usiąść twarzą do światła, z oczami na wysokości kamery. Około 20 sekund, bez błysków.',
    moves: 'Najpierw bez ruchu, potem ruch jak na rysunku. Każdy ruch pojawi się we właściwej chwili.',
  },
  unblock: {
    chromeAndroid: 'Proszę dotknąć ikony przed adresem, potem Uprawnienia, Aparat, Zezwól.',
    firefox: 'Proszę wybrać symbol kamery przed adresem, usunąć blokadę obok i spróbować ponownie.',
    firefoxAndroid: 'Proszę dotknąć kłódki przed adresem, potem Aparat, aż pojawi się Zezwolono.',
    safari: 'Proszę otworzyć menu Safari, potem Ustawienia dla tej witryny, Kamera, Pozwól.',
  },
  inApp: {
    title: 'W aplikacji {app} nie można otworzyć kamery',
    text: 'Proszę otworzyć menu aplikacji {app} (⋯ lub ⋮) i wybrać „Otwórz w przeglądarce”. Można też skopiować link i otworzyć go w Safari lub Chrome.',
  },
}
