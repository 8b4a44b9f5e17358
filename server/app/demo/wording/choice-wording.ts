/** The demo's choices, as worded on the page. */
export const choiceWording = {
  liveness: {
    label: 'Is this a live person?',
    options: { balanced: 'Balanced: one action', advanced: 'Advanced: three actions', off: 'Do not check' },
  },
  age: {
    label: 'How old are they?',
    options: { estimate: 'Estimate the age', adult: 'Pass from 18 years', off: 'Do not ask' },
  },
  face: {
    label: 'Have we seen this face before?',
    options: { remember: 'Remember and recognise it', once: 'Refuse a face seen before', off: 'Do not ask' },
  },
} as const
