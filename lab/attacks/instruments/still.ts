import { photographed } from './photographed.ts'

/** A single unchanged photograph, whatever is requested. */
export const still = photographed('still', 'One photograph as it is, whatever is asked.', ({ picture }) => {
  return () => picture
})
