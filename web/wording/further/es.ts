import type { FurtherTryWording } from '#web/wording/wording.ts'

export const further: FurtherTryWording = {
  furtherTry: {
    title: 'Intentémoslo una vez más',
    text: 'La comprobación aún no se ha completado. Puede haber muchos motivos.',
    otherWay:
      '{account} ofrece una forma de hacerla sin imagen de su rostro. Si la elige, esta comprobación termina.',
    light: 'Busque un lugar donde la luz le dé por igual en todo el rostro, sin nada brillante detrás.',
    size: 'Mantenga el rostro tan grande como el óvalo, a la altura de los ojos.',
    blur: 'No se mueva mientras se llena el anillo, y limpie la cámara.',
    steps: 'Empiece cada movimiento en cuanto se le pida, y haga solo ese.',
  },
  tries: {
    one: 'Puede intentarlo {n} vez más.',
    many: 'Puede intentarlo {n} veces más.',
    other: 'Puede intentarlo {n} veces más.',
  },
  links: {
    takeOtherWay: 'Elegir la otra forma',
    privacy: 'Cómo usa {account} sus datos',
    terms: 'Condiciones de uso de {account}',
  },
}
