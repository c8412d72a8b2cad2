import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { UserRound } from 'lucide-react'
import { useMemo } from 'react'
import { useNames } from '../../../calendar/web/embed/names.ts'
import { messageOf, orpc, statusOf } from '../../../../ui/client/api.ts'
import { Button } from '../../../../ui/Button.tsx'
import { ErrorState } from '../../../../ui/EmptyState.tsx'
import { SideDrawer } from '../../../../ui/SideDrawer.tsx'
import { Skeleton } from '../../../../ui/Skeleton.tsx'
import { useMay } from '../../../../ui/client/useMay.ts'
import { StatusBadge } from '../StatusMark.tsx'
import { patientName } from '../surgery-data.ts'
import { useLiveSurgeries } from '../useLiveSurgeries.ts'
import { Checklist } from '../checklist/Checklist.tsx'
import { Readiness } from '../checklist/Readiness.tsx'
import { SurgeryActions } from './SurgeryActions.tsx'
import { SurgeryFacts } from './SurgeryFacts.tsx'

interface SurgeryDrawerProps {
  id: string
  /** The item of its checklist that it opens at. */
  item?: string | undefined
  /** Where it is not the patient's own page. */
  linksPatient: boolean
  onClose: () => void
  onEdit: (kind: 'edit' | 'move') => void
}

/** All that is known of a surgery, what it waits for, and what can be done with it. */
export default function SurgeryDrawer({ id, item, linksPatient, onClose, onEdit }: SurgeryDrawerProps) {
  // What it waits for may have come while no one listened.
  const found = useQuery(orpc.surgeries.get.queryOptions({ input: { id }, staleTime: 0 }))
  const names = useNames()
  const mayChange = useMay()('surgeries.change')
  const { data } = found
  useLiveSurgeries(useMemo(() => (data ? [data] : []), [data]))
  return (
    <SideDrawer
      title={data ? patientName(data) : 'Surgery'}
      aside={data && <StatusBadge status={data.shownStatus} />}
      onClose={onClose}
      footer={
        data && (
          <>
            {mayChange && <SurgeryActions surgery={data} names={names} onEdit={onEdit} />}
            {linksPatient && (
              <Button asChild variant="quiet" icon={<UserRound />} className="ml-auto">
                <Link to="/contacts/$id" params={{ id: data.contact.id }}>
                  Open patient
                </Link>
              </Button>
            )}
          </>
        )
      }
    >
      {data ? (
        <div className="flex flex-col gap-6">
          <Readiness surgery={data} />
          <SurgeryFacts surgery={data} names={names} />
          <Checklist surgery={data} names={names} opened={item} />
        </div>
      ) : found.error ? (
        statusOf(found.error) === 404 ? (
          <ErrorState title="This surgery is not there">Its patient was deleted, and it with them.</ErrorState>
        ) : (
          <ErrorState title="Couldn’t load the surgery" onRetry={() => void found.refetch()} retrying={found.isFetching}>
            {messageOf(found.error)}
          </ErrorState>
        )
      ) : (
        <div role="status" aria-label="Loading" className="flex flex-col gap-4">
          {['w-1/2', 'w-2/3', 'w-1/3', 'w-2/5', 'w-3/5', 'w-3/4'].map((width) => (
            <Skeleton key={width} className={width} />
          ))}
        </div>
      )}
    </SideDrawer>
  )
}
