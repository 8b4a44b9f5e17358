import type { Asking } from '../wording.ts'

export const asking: Asking = {
  asker: {
    tab: '{account}: gezichtscontrole',
    tabAlone: 'Gezichtscontrole',
    ask: 'Vraag het aan {account}',
  },
  getReady: {
    desk: 'Ga met uw gezicht naar een lamp of raam zitten, ogen ter hoogte van de camera. Ongeveer 20 seconden, zonder flitsen.',
    moves: 'Zit eerst stil en beweeg daarna zoals getoond. U ziet elke beweging op het juiste moment.',
  },
  unblock: {
    chromeAndroid: 'Tik op het pictogram voor het adres, dan Rechten, dan Camera, dan Toestaan.',
    firefox: 'Kies het camerasymbool voor het adres, haal de blokkade ernaast weg en probeer het opnieuw.',
    firefoxAndroid: 'Tik op het slot voor het adres, dan Camera, tot er Toegestaan staat.',
    safari: 'Open het menu Safari, dan Instellingen voor deze website, dan Camera, dan Sta toe.',
  },
  inApp: {
    title: 'De camera kan niet worden geopend in {app}',
    text: 'Open het menu van {app} (⋯ of ⋮) en kies ‘Openen in browser’. Of kopieer de link en open hem in Safari of Chrome.',
  },
}
