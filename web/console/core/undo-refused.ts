import { Problem } from '#shared/problem.ts'

/**
 * A decision is not taken back, since another one stands by now, or none. The server has one code for this and for a decision that another one came
 * before: to who takes back, the words of a decision would say the contrary of what happened.
 */
export class UndoRefused extends Problem {
  constructor({ code, detail, requestId }: Problem) {
    super(code, detail, { requestId })
  }
}
