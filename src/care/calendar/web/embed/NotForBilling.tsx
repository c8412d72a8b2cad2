import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { EmptyState } from '../../../../ui/display/EmptyState.tsx'

/** Replaces a calendar for the billing role, which may not see it. */
export function NotForBilling({ what, children }: { what: string; children: ReactNode }) {
  return (
    <EmptyState icon={<Lock />} title={`Billing sees no ${what}`} className="my-auto pb-24">
      {children}
    </EmptyState>
  )
}
