import { photographed } from './photographed.ts'

/** One photograph, as it is, whatever is asked. */
export const still = photographed('still', 'One photograph as it is, whatever is asked.', ({ picture }) => {
  return () => picture
})
