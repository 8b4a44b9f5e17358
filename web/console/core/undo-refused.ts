import { Problem } from '#shared/problem.ts'

/**
 * A review cannot be withdrawn because the session now has a different review or none at all. The server uses the same code for this
 * as for withdrawing too late, but the message for that would be wrong here.
 */
export class UndoRefused extends Problem {
  constructor({ code, detail, requestId }: Problem) {
    super(code, detail, { requestId })
  }
}
