import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { EmptyState } from '../../../../ui/display/EmptyState.tsx'

/** In place of a calendar that billing does not see. */
export function NotForBilling({ what, children }: { what: string; children: ReactNode }) {
  return (
    <EmptyState icon={<Lock />} title={`Billing sees no ${what}`} className="my-auto pb-24">
      {children}
    </EmptyState>
  )
}
