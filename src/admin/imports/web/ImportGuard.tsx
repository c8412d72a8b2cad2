import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { EmptyState } from '../../../ui/display/EmptyState.tsx'
import { useMay } from '../../../ui/client/useMay.ts'

/** The page, for those who may import. */
export function ImportGuard({ children }: { children: ReactNode }) {
  const may = useMay()
  if (may('imports.list')) return children
  return (
    <EmptyState icon={<Lock />} title="Importing is not open to your role" className="my-auto pb-24">
      Administrators and sales representatives import. Ask one of them.
    </EmptyState>
  )
}
