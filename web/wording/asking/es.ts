import type { Asking } from '../wording.ts'

export const asking: Asking = {
  asker: {
    tab: '{account}: comprobación facial',
    tabAlone: 'Comprobación facial',
    ask: 'Preguntar a {account}',
  },
  getReady: {
    desk: 'Siéntese de cara a una luz, con los ojos a la altura de la cámara. Unos 20 segundos, sin destellos.',
    moves: 'Primero no se mueva; después, haga lo que se muestra. Verá cada movimiento en su momento.',
  },
  unblock: {
    chromeAndroid: 'Toque el icono delante de la dirección, luego Permisos, Cámara y Permitir.',
    firefox:
      'Elija el símbolo de la cámara delante de la dirección, quite el bloqueo que hay al lado y pruebe otra vez.',
    firefoxAndroid: 'Toque el candado delante de la dirección, luego Cámara, hasta que diga Permitido.',
    safari: 'Abra el menú Safari, luego Ajustes para este sitio web, Cámara y Permitir.',
  },
  inApp: {
    title: 'La cámara no se puede abrir dentro de {app}',
    text: 'Abra el menú de {app} (⋯ o ⋮) y elija «Abrir en el navegador». O copie el enlace y ábralo en Safari o Chrome.',
  },
}
