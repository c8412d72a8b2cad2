import { Lock } from 'lucide-react'
import { useState } from 'react'
import type { Person } from '../../../platform/auth/people-contract.ts'
import { EmptyState, ErrorState } from '../../../ui/display/EmptyState.tsx'
import { SkeletonRows } from '../../../ui/display/Skeleton.tsx'
import { type Loadable, loadable, useLoaded } from '../../../ui/hooks/useLoaded.ts'
import type { useDocuments } from './useDocuments.ts'

const panel: Loadable<typeof import('./PatientDocuments.tsx')> = loadable(() => import('./PatientDocuments.tsx'))

interface DocumentsTabProps extends ReturnType<typeof useDocuments> {
  contactId: string
  people: readonly Person[]
}

/** The Documents tab of a patient; its code is loaded when the tab is opened. */
export function DocumentsTab({ isAllowed, people, ...rest }: DocumentsTabProps) {
  const [attempt, setAttempt] = useState(0)
  if (!isAllowed) {
    const admins = people.filter(({ role }) => role === 'admin').slice(0, 3)
    const names = new Intl.ListFormat('en-CA', { type: 'disjunction' }).format(admins.map(({ fullName }) => fullName))
    return (
      <EmptyState icon={<Lock />} title="The billing role cannot see documents">
        Ask an administrator if you need them{names && `: ${names}`}.
      </EmptyState>
    )
  }
  return <Loaded key={attempt} people={people} onRetry={() => setAttempt(attempt + 1)} {...rest} />
}

function Loaded({ onRetry, ...rest }: Omit<DocumentsTabProps, 'isAllowed'> & { onRetry: () => void }) {
  const [failed, setFailed] = useState(false)
  const loaded = useLoaded(panel, () => setFailed(true))
  if (failed) return <ErrorState title="Couldn’t load the documents" onRetry={onRetry} />
  if (!loaded) return <SkeletonRows rows={4} className="pt-4" rowClassName="h-16 px-0 md:px-0" />
  const { PatientDocuments } = loaded
  return <PatientDocuments {...rest} />
}
