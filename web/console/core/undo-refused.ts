import { Problem } from '#shared/problem.ts'

/**
 * A review cannot be withdrawn because the session has another review by now, or none. The server uses one code for this and for a review that
 * came too late, but the message for the latter would be wrong here.
 */
export class UndoRefused extends Problem {
  constructor({ code, detail, requestId }: Problem) {
    super(code, detail, { requestId })
  }
}
