import type { AnswerWording } from './answer-wording.ts'

export const es: AnswerWording = {
  locale: 'es',
  direction: 'ltr',
  title: 'Respuesta recibida',
  verdict: { passed: 'Superada', failed: 'No superada', untrusted: 'No es de fiar' },
  why: {
    passed: 'Se ha cumplido todo lo que se pedía.',
    failed: 'No se ha indicado ningún motivo.',
    untrusted:
      'Esta respuesta puede haberse modificado por el camino; por eso no se dice nada de la comprobación.',
  },
  reasons: {
    noFace: 'No se ha encontrado ningún rostro en las imágenes.',
    multipleFaces: 'Se veía más de un rostro.',
    livenessFailed: 'Las imágenes no parecían de una persona viva, o ya se habían enviado antes.',
    challengeFailed: 'Lo que se pedía no se hizo a tiempo, o se hizo otra cosa.',
    personChanged: 'No fue la misma persona todo el tiempo.',
    lowQuality: 'Las imágenes eran demasiado oscuras, borrosas o pequeñas.',
    ageNotMet: 'La edad estimada no cumple la regla.',
    ageUncertain: 'La edad no se ha podido estimar con suficiente seguridad.',
    duplicateFace: 'Este rostro ya se había visto antes.',
    faceMismatch: 'El rostro no es el que corresponde al identificador externo.',
    referenceMismatch: 'El rostro no es el de la imagen facilitada para la comparación.',
    denied: 'El rostro es uno que no debe pasar.',
    externalIdMissing: 'El enlace no incluye el identificador externo que necesita esta comprobación.',
    externalIdUnknown: 'El identificador externo aún no se conoce.',
    consentDeclined: 'La persona no aceptó o se marchó.',
    cameraUnavailable: 'No había ninguna cámara que se pudiera usar.',
    sessionExpired: 'Se agotó el cuarto de hora.',
    assuranceTooLow: 'No había suficiente seguridad de que hubiera una persona viva.',
    evidenceMissing: 'Faltaban imágenes que esta página siempre envía.',
    alternativeChosen: 'La persona eligió la otra forma que indica la configuración.',
  },
  signature: {
    Valid: 'La firma es válida: este resultado viene de este servidor y nadie lo ha modificado.',
    Invalid: 'La firma no es válida: no se fíe de este resultado.',
    Expired: 'La firma era válida, pero su plazo ha vencido.',
    NonceAlreadyUsed: 'La firma era válida, pero ya se había usado.',
  },
  again: 'Intentar de nuevo',
  details: 'Todo lo que se ha recibido, campo por campo',
  tag: 'demo en este equipo',
  footer:
    'Las imágenes solo van a este servidor y no se guardan. El resultado se guarda 7 días. Si un rostro debe reconocerse más adelante, su código numérico se guarda en este servidor.',
}
