import type { AskerWording } from '../wording.ts'

export const asking: AskerWording = {
  asker: {
    tab: '{account}: gezichtscontrole',
    tabAlone: 'Gezichtscontrole',
    ask: 'Navragen bij {account}',
  },
  loading: {
    title: 'De controle wordt geladen',
    progress: 'Laden via uw netwerk: {loaded} van {total} MB',
    wrongFile:
      'Uw netwerk stuurde iets anders. Vraagt het u om in te loggen, doe dat dan eerst. Gebruik anders een ander netwerk.',
  },
  getReady: {
    light: 'Gezicht naar het licht',
    phone: 'Telefoon op ooghoogte',
    desk: 'Camera op ooghoogte',
    moves: 'Beweeg wanneer dat gevraagd wordt',
    time: 'Ongeveer 10 seconden, zonder flitsen.',
  },
  unblock: {
    chromeAndroid: 'Tik op het pictogram naast het adres, dan op Rechten, Camera en Toestaan.',
    firefox: 'Kies het camerasymbool naast het adres, haal de blokkering weg en probeer het opnieuw.',
    firefoxAndroid: 'Tik op het slot naast het adres en dan op Camera, tot er Toegestaan staat.',
    safari: 'Open het menu Safari, dan Instellingen voor deze website, dan Camera, dan Sta toe.',
  },
  inApp: {
    title: 'De camera kan niet worden geopend in {app}',
    text: 'Open het menu van {app} (⋯ of ⋮) en kies ‘Openen in browser’. Of kopieer de link en open die in Safari of Chrome.',
  },
  surroundings: {
    noPicture: {
      title: 'Deze camera toont geen beeld',
      text: 'Open het klepje of kies een andere camera.',
    },
    smallPicture: {
      title: 'Het beeld van deze camera is te klein',
      text: 'Kies een andere camera of open de controle op een ander apparaat.',
    },
    hiddenPictures: {
      title: 'Deze browser verbergt het camerabeeld',
      text: 'Sta canvasgegevens toe voor deze pagina via het symbool naast het adres en laad opnieuw. Of open de link in een andere browser.',
    },
    noWebAssembly: {
      title: 'WebAssembly staat uit in deze browser',
      text: 'Sta het voor deze pagina toe in de beveiligingsinstellingen en laad opnieuw. Of open de link in een andere browser.',
    },
    slowNetwork: {
      title: 'Het netwerk is nu te traag',
      text: 'Ga naar een ander netwerk of dichterbij en probeer het opnieuw.',
    },
  },
}
