import type { FurtherTryWording } from '#web/wording/wording.ts'

export const further: FurtherTryWording = {
  furtherTry: {
    title: 'We proberen het nog een keer',
    text: 'De controle is nog niet afgerond. Daar kunnen veel redenen voor zijn.',
    otherWay:
      '{account} biedt een manier zonder foto van uw gezicht. Als u die kiest, eindigt deze controle.',
    light: 'Zoek een plek met gelijkmatig licht op uw gezicht en zonder fel licht achter u.',
    size: 'Houd uw gezicht zo groot als het ovaal, op ooghoogte.',
    blur: 'Blijf stil terwijl de ring zich vult, en veeg de camera schoon.',
    steps: 'Begin elke beweging zodra erom wordt gevraagd en doe alleen die.',
  },
  tries: { one: 'U kunt het nog {n} keer proberen.', other: 'U kunt het nog {n} keer proberen.' },
  links: {
    takeOtherWay: 'De andere manier kiezen',
    privacy: 'Hoe {account} uw gegevens gebruikt',
    terms: 'Voorwaarden van {account}',
  },
}
