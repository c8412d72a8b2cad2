import { SessionsCard } from '../settings/SessionsCard.tsx'
import { PasswordCard } from '../settings/PasswordCard.tsx'
import { PasskeysCard } from '../settings/PasskeysCard.tsx'
import { TwoFactorCard } from '../settings/TwoFactorCard.tsx'

/** Password, two-factor, passkeys and sessions. */
export function SecurityCards() {
  return (
    <div className="flex flex-col gap-8">
      <PasswordCard />
      <TwoFactorCard />
      <PasskeysCard />
      <SessionsCard />
    </div>
  )
}
