import type { AnswerWording } from './answer-wording.ts'

export const es: AnswerWording = {
  locale: 'es',
  direction: 'ltr',
  title: 'Lo que ha vuelto',
  verdict: { passed: 'Superada', failed: 'No superada', untrusted: 'No es de fiar' },
  why: {
    passed: 'Se ha cumplido todo lo que se pedía.',
    failed: 'No se ha indicado el motivo.',
    untrusted: 'Esta respuesta puede haber cambiado por el camino: no se dice nada de la comprobación.',
  },
  reasons: {
    noFace: 'No se encontró ninguna cara en las imágenes.',
    multipleFaces: 'Se veía más de una cara.',
    livenessFailed: 'Las imágenes no parecían de una persona viva, o ya se habían enviado antes.',
    challengeFailed: 'Lo que se pedía no se hizo a tiempo, o se hizo otra cosa.',
    personChanged: 'No fue la misma persona todo el tiempo.',
    lowQuality: 'Las imágenes eran demasiado oscuras, borrosas o pequeñas.',
    ageNotMet: 'La edad estimada no cumple la regla.',
    ageUncertain: 'La edad no se pudo estimar con bastante seguridad.',
    duplicateFace: 'Esta cara ya se había visto.',
    faceMismatch: 'La cara no es la que corresponde al identificador externo.',
    externalIdMissing: 'El enlace no lleva el identificador externo que esta comprobación necesita.',
    externalIdUnknown: 'El identificador externo aún no se conoce.',
    consentDeclined: 'La persona no aceptó, o se fue.',
    cameraUnavailable: 'No había ninguna cámara que se pudiera usar.',
    sessionExpired: 'Se acabó el cuarto de hora.',
    assuranceTooLow: 'No era bastante seguro que hubiera una persona viva.',
    evidenceMissing: 'Faltaban imágenes que esta página siempre envía.',
    alternativeChosen: 'La persona tomó la otra vía que indica la configuración.',
  },
  signature: {
    Valid: 'La firma es correcta: este resultado viene de este servidor y nadie lo ha cambiado.',
    Invalid: 'La firma no es correcta: no se fíe de este resultado.',
    Expired: 'La firma era correcta, pero su plazo ha terminado.',
    NonceAlreadyUsed: 'La firma era correcta, pero ya se había usado.',
  },
  again: 'Probar otra vez',
  details: 'Todo lo que ha vuelto, nombre por nombre',
  tag: 'demo en este equipo',
  footer:
    'Las imágenes van solo a este servidor y no se guardan. El resultado se guarda 7 días. Donde haya que reconocer una cara, un código numérico de ella queda en este servidor.',
}
