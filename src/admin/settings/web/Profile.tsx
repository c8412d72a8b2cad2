import { ProfileCard } from '../../../platform/auth/web/embed/ProfileCard.tsx'
import { SignatureCard } from '../../../messages/signatures/web/embed/SignatureCard.tsx'

/** The user's own name, and what ends their emails. */
export function Profile() {
  return (
    <div className="flex flex-col gap-10">
      <ProfileCard />
      <SignatureCard />
    </div>
  )
}
