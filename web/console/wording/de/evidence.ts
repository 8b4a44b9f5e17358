import type { ConsoleWording } from '../console-wording.ts'

export const evidenceWords: Pick<ConsoleWording, 'evidence' | 'measured' | 'undoing'> = {
  evidence: {
    title: 'Bilder',
    kept: 'Gespeichert bis {time} oder bis 10 Sekunden nach einer Entscheidung. Dass Sie sie ansehen, wird im Protokoll vermerkt.',
    show: 'Bilder ansehen',
    showing: 'Dass Sie die Bilder ansehen, wird im Protokoll vermerkt.',
    none: 'Es werden keine Bilder gespeichert, also sind keine zu sehen. Was gemessen wurde, steht unten.',
    gone: 'Die Bilder sind gelöscht: Sie wurden nicht gebraucht, jemand hat entschieden, oder ihre Zeit ist um.',
    gathered: 'Bilder erscheinen hier nach dem Ende der Sitzung, wenn sie gebraucht werden.',
    incomplete:
      'Einige Bilder konnten nicht gespeichert werden, etwa weil die Festplatte voll war. Das Ergebnis hängt nicht davon ab.',
    straight: 'blickt geradeaus',
    picture: 'Bild: {name}',
    tried: 'Versuch {n}: {name}',
    film: 'Der Film des Besuchs',
    play: 'Abspielen',
    pause: 'Anhalten',
    at: 'Bild {n} von {all}',
  },
  measured: {
    title: 'Was gemessen wurde',
    scores: {
      living: 'Sieht nach einem lebenden Menschen aus',
      sameFace: 'Gleiches Gesicht auf allen Bildern (niedrigster Wert)',
      age: 'Geschätztes Alter',
      reference: 'Ähnlichkeit mit dem Vergleichsbild',
    },
    limit: '{value}; der Grenzwert ist {limit}',
    noLimit: '{value}; ohne Grenzwert',
    cue: {
      light: 'Licht beim Drehen des Kopfes',
      rim: 'Hintergrund beim Drehen des Kopfes',
      cuts: 'Film ohne Schnitt',
      perspective: 'Perspektive',
    },
    answer: {
      held: 'Stimmt',
      broken: 'Stimmt nicht',
      cannotTell: 'Nicht erkennbar',
    },
    pictures: 'Bilder, davon gut und gerade',
    of: '{n} von {all}',
    device: 'Gerät',
  },
  undoing: {
    undo: 'Zurücknehmen',
    undoing: '{result} vermerkt. Sie können das 10 Sekunden lang zurücknehmen.',
    undone: 'Die Entscheidung wurde zurückgenommen.',
  },
}
