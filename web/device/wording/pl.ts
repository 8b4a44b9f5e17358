import type { DeviceWording } from './device-wording.ts'

/** Polish. */
export const pl: DeviceWording = {
  locale: 'pl',
  direction: 'ltr',
  title: {
    tab: 'To urządzenie',
    before: 'Co potrafi to urządzenie?',
    measuring: 'Trwa pomiar',
    measured: 'Co potrafi to urządzenie',
    failed: 'Nie udało się wykonać pomiaru',
  },
  text: {
    before:
      'Ta strona mierzy, czy i jak szybko ta przeglądarka może przeprowadzić weryfikację. Obrazy pozostają na tym urządzeniu i są usuwane. Nic nie jest wysyłane: wynikiem jest raport, który można skopiować.',
    measuring: 'To potrwa najwyżej pół minuty. Nic nie jest wysyłane.',
    report: 'Raport nie zawiera obrazu ani nazwy kamery; podaje, jaka to przeglądarka:',
  },
  button: {
    withCamera: 'Zmierz z kamerą',
    withoutCamera: 'Zmierz bez kamery',
    copy: 'Kopiuj raport',
    copied: 'Skopiowano',
    share: 'Udostępnij raport',
  },
  findings: {
    locale: 'pl',
    question: {
      check: 'Może przeprowadzić weryfikację',
      camera: 'Kamera',
      speed: 'Szybkość',
      memory: 'Pamięć',
      storage: 'Miejsce na dane',
      passkeys: 'Klucze dostępu na tym urządzeniu',
      screen: 'Nie wygasza ekranu',
    },
    answer: {
      yes: 'tak',
      no: 'nie',
      refused: 'odmowa',
      notReported: 'nie podano',
      notKnown: 'nie wiadomo',
      notAsked: 'nie pytano',
      notMeasured: 'nie zmierzono',
      roomUnknown: 'nie podano, ile miejsca',
      kept: 'zachowywane',
      mayBeCleared: 'może zostać usunięte',
    },
    lacks: (what) => `nie, brakuje: ${what}`,
    noPicture: (problem) => `brak obrazu (${problem})`,
    size: (width, height) => `${width} × ${height}`,
    rate: (pictures) => `obrazów na sekundę: ${pictures}`,
    speed: (seconds, milliseconds, picture) =>
      `pierwsza odpowiedź po ${seconds} s, potem ${milliseconds} ms na obraz (${picture === 'camera' ? 'z kamery' : 'narysowany'})`,
    gigabytes: (count) => `około ${count} GB`,
    room: (megabytes) => `miejsce na ${megabytes} MB`,
  },
}
