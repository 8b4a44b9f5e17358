import type { AskerWording } from '../wording.ts'

export const asking: AskerWording = {
  asker: {
    tab: '{account}: comprobación facial',
    tabAlone: 'Comprobación facial',
    ask: 'Preguntar a {account}',
  },
  loading: {
    title: 'Cargando la comprobación',
    progress: 'Cargando por su red: {loaded} de {total} MB',
    wrongFile:
      'Su red ha respondido con otra cosa. Si le pide que inicie sesión, hágalo primero. Si no, use otra red.',
  },
  getReady: {
    light: 'De cara a una luz',
    phone: 'Teléfono a la altura de los ojos',
    desk: 'Cámara a la altura de los ojos',
    moves: 'Muévase cuando se le pida',
    time: 'Unos 10 segundos, sin destellos.',
  },
  unblock: {
    chromeAndroid: 'Toque el icono situado junto a la dirección, luego Permisos, Cámara y Permitir.',
    firefox: 'Elija el símbolo de la cámara junto a la dirección, quite el bloqueo e inténtelo de nuevo.',
    firefoxAndroid: 'Toque el candado junto a la dirección y luego Cámara, hasta que ponga Permitido.',
    safari: 'Abra el menú Safari, luego Ajustes para este sitio web, Cámara y Permitir.',
  },
  inApp: {
    title: 'La cámara no se puede abrir dentro de {app}',
    text: 'Abra el menú de {app} (⋯ o ⋮) y elija «Abrir en el navegador». También puede copiar el enlace y abrirlo en Safari o Chrome.',
  },
  surroundings: {
    noPicture: {
      title: 'Esta cámara no muestra imagen',
      text: 'Destape la cámara o elija otra.',
    },
    smallPicture: {
      title: 'La imagen de esta cámara es demasiado pequeña',
      text: 'Elija otra cámara o abra la comprobación en otro dispositivo.',
    },
    hiddenPictures: {
      title: 'Este navegador oculta la imagen de la cámara',
      text: 'Permita los datos de canvas para esta página con el icono junto a la dirección y recargue. O abra el enlace en otro navegador.',
    },
    noWebAssembly: {
      title: 'WebAssembly está desactivado',
      text: 'Permítalo para esta página en los ajustes de seguridad del navegador y recargue. O abra el enlace en otro navegador.',
    },
    slowNetwork: {
      title: 'La red es demasiado lenta ahora',
      text: 'Cambie de red o acérquese a esta, y vuelva a intentarlo.',
    },
  },
}
