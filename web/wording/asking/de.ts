import type { AskerWording } from '../wording.ts'

export const asking: AskerWording = {
  asker: {
    tab: '{account}: Gesichtsprüfung',
    tabAlone: 'Gesichtsprüfung',
    ask: '{account} fragen',
  },
  loading: {
    title: 'Die Prüfung wird geladen',
    progress: 'Wird über Ihr Netz geladen: {loaded} von {total} MB',
    wrongFile:
      'Ihr Netz hat etwas anderes geliefert. Falls es eine Anmeldung verlangt, melden Sie sich zuerst dort an. Sonst nutzen Sie ein anderes Netz.',
  },
  getReady: {
    light: 'Zum Licht schauen',
    phone: 'Telefon auf Augenhöhe',
    desk: 'Kamera auf Augenhöhe',
    moves: 'Bewegen, wie gezeigt',
    time: 'Etwa 10 Sekunden, ohne Blitz.',
  },
  unblock: {
    chromeAndroid:
      'Tippen Sie auf das Symbol neben der Adresse, dann Berechtigungen, dann Kamera, dann Zulassen.',
    firefox:
      'Wählen Sie das Kamerasymbol neben der Adresse, entfernen Sie die Sperre und versuchen Sie es erneut.',
    firefoxAndroid: 'Tippen Sie auf das Schloss neben der Adresse, dann Kamera, bis dort Erlaubt steht.',
    safari: 'Öffnen Sie das Menü Safari, dann Einstellungen für diese Website, dann Kamera, dann Erlauben.',
  },
  inApp: {
    title: 'In {app} lässt sich die Kamera nicht öffnen',
    text: 'Öffnen Sie das Menü von {app} (⋯ oder ⋮) und wählen Sie „Im Browser öffnen“. Oder kopieren Sie den Link und öffnen Sie ihn in Safari oder Chrome.',
  },
  surroundings: {
    noPicture: {
      title: 'Diese Kamera zeigt kein Bild',
      text: 'Öffnen Sie die Abdeckung, oder wählen Sie eine andere Kamera.',
    },
    smallPicture: {
      title: 'Das Bild dieser Kamera ist zu klein',
      text: 'Wählen Sie eine andere Kamera, oder öffnen Sie die Prüfung auf einem anderen Gerät.',
    },
    hiddenPictures: {
      title: 'Dieser Browser verbirgt das Kamerabild',
      text: 'Erlauben Sie dieser Seite Canvas-Daten über das Symbol neben der Adresse und laden Sie neu. Oder öffnen Sie den Link in einem anderen Browser.',
    },
    noWebAssembly: {
      title: 'WebAssembly ist in diesem Browser aus',
      text: 'Erlauben Sie es dieser Seite in den Sicherheitseinstellungen und laden Sie neu. Oder öffnen Sie den Link in einem anderen Browser.',
    },
    slowNetwork: {
      title: 'Das Netz ist gerade zu langsam',
      text: 'Wechseln Sie in ein anderes Netz oder näher heran, und versuchen Sie es noch einmal.',
    },
  },
}
