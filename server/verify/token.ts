import type { AccountCaller } from '#server/accounts/caller.ts'
import type { TokenService } from '#server/security/token-service.ts'
import type { getVerifyToken } from '#shared/contract/recognition/verify.ts'
import type { Handler } from '#shared/endpoint.ts'

export type GetVerifyToken = Handler<typeof getVerifyToken, AccountCaller>

/** The token of the security role, as plain text. */
export function createGetVerifyToken(tokenService: TokenService): GetVerifyToken {
  return async (request) => (await tokenService.get(request)).token
}
