import { useState } from 'preact/hooks'
import type { CapturePlan } from '#shared/contract/sessions/session.ts'
import { Ovals } from './ovals.tsx'

/** The account's logo or name. Falls back to the product's logo until the account is known. */
export function Mark({ plan }: { plan: Pick<CapturePlan, 'theme'> | null }) {
  const [missing, setMissing] = useState<string | null>(null)
  const { accountName = 'Selfsame', logo = null } = plan?.theme ?? {}
  if (logo !== null && logo.address !== missing) {
    const { address, width, height, ground } = logo
    return (
      <span class="plate" data-ground={ground}>
        <img
          class="logo"
          src={address}
          alt={accountName}
          width={width}
          height={height}
          onError={() => setMissing(address)}
        />
      </span>
    )
  }
  return (
    <div class="mark">
      <Ovals size={28} />
      <bdi class="mark-name">{accountName}</bdi>
    </div>
  )
}
