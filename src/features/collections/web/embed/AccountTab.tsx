import { useState } from 'react'
import { ErrorState } from '../../../../web/ui/EmptyState.tsx'
import { SkeletonRows } from '../../../../web/ui/Skeleton.tsx'
import { type Loadable, loadable, useLoaded } from '../../../../web/ui/useLoaded.ts'
import type { AccountPatient } from '../account-data.ts'

const code: Loadable<typeof import('../account/Account.tsx')> = loadable(() => import('../account/Account.tsx'))

/** What stands under a patient's 'Account': its code comes when it is opened. */
export function AccountTab({ patient }: { patient: AccountPatient }) {
  const [attempt, setAttempt] = useState(0)
  return <Loaded key={attempt} patient={patient} onRetry={() => setAttempt(attempt + 1)} />
}

function Loaded({ patient, onRetry }: { patient: AccountPatient; onRetry: () => void }) {
  const [failed, setFailed] = useState(false)
  const loaded = useLoaded(code, () => setFailed(true))
  if (failed) return <ErrorState title="The account did not load" onRetry={onRetry} />
  if (!loaded) return <SkeletonRows rows={4} rowClassName="h-16 px-0 md:px-0" />
  const { Account } = loaded
  return (
    <div className="max-w-160">
      <Account patient={patient} />
    </div>
  )
}
