import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { EmptyState } from '../../../ui/display/EmptyState.tsx'
import { usePermission } from '../../../ui/client/usePermission.ts'

/** Shows the page to users who may import, and a notice to everyone else. */
export function ImportGuard({ children }: { children: ReactNode }) {
  const may = usePermission()
  if (may('imports.list')) return children
  return (
    <EmptyState icon={<Lock />} title="Your role cannot import" className="my-auto pb-24">
      Administrators and sales representatives can import. Ask one of them to import the file.
    </EmptyState>
  )
}
