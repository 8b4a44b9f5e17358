import type { FurtherTryWording } from '#web/wording/wording.ts'

export const further: FurtherTryWording = {
  furtherTry: {
    title: 'Versuchen wir das noch einmal',
    text: 'Die Prüfung ist noch nicht abgeschlossen. Das kann viele Gründe haben.',
    otherWay:
      '{account} bietet einen Weg ohne ein Bild Ihres Gesichts an. Wenn Sie ihn wählen, endet diese Prüfung.',
    light:
      'Suchen Sie einen Ort, an dem gleichmäßiges Licht auf Ihr Gesicht fällt und hinter Ihnen nichts Helles ist.',
    size: 'Halten Sie Ihr Gesicht so groß wie das Oval, auf Augenhöhe.',
    blur: 'Halten Sie still, während sich der Ring füllt, und wischen Sie die Kamera ab.',
    steps: 'Beginnen Sie jede Bewegung, sobald Sie dazu aufgefordert werden, und machen Sie nur diese.',
  },
  tries: { one: 'Sie können es noch {n} Mal versuchen.', other: 'Sie können es noch {n} Mal versuchen.' },
  links: {
    takeOtherWay: 'Anderen Weg wählen',
    privacy: 'Wie {account} Ihre Daten verwendet',
    terms: 'Bedingungen von {account}',
  },
}
