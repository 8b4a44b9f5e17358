import { Problem } from '#shared/problem.ts'

export function noCollection(): Problem {
  return new Problem('not_found', 'The collection does not exist.')
}
