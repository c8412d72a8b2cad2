import { CreditCard } from 'lucide-react'
import type { ReactNode } from 'react'
import { useReturn } from '../../ui/hooks/useReturn.ts'
import { PortalButton } from '../../ui/patient/parts.tsx'

interface PayLinkProps {
  path: string
  variant?: 'filled' | 'outlined'
  'aria-label'?: string
  /** The patient is back on this page, where what is owed may have changed. */
  onBack: () => void
  children: ReactNode
}

/** Opens the payment page in a tab of its own, because the session is in this page’s memory only. */
export function PayLink({ path, variant = 'outlined', onBack, children, ...rest }: PayLinkProps) {
  useReturn(onBack)
  return (
    <PortalButton asChild variant={variant} icon={<CreditCard />} {...rest}>
      <a href={path} target="_blank" rel="noreferrer">
        {children}
      </a>
    </PortalButton>
  )
}
