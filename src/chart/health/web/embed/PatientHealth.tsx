import type { ReactNode } from 'react'
import { messageOf } from '../../../../ui/client/api.ts'
import { useSession } from '../../../../ui/client/session.ts'
import { ErrorState } from '../../../../ui/display/EmptyState.tsx'
import { Skeleton } from '../../../../ui/display/Skeleton.tsx'
import { maySee } from '../../../../kernel/access/information.ts'
import { seesSection } from '../../policy.ts'
import { sections } from '../../rules.ts'
import { Alerts } from '../Alerts.tsx'
import { EditingContext, useEntryEditing } from '../editing.ts'
import { ReviewedSection } from '../ReviewedSection.tsx'
import { useHealth, useHealthActions } from '../useHealth.ts'
import { Vitals } from '../Vitals.tsx'

interface PatientHealthProps {
  contactId: string
  /** The day of the next surgery, 'yyyy-MM-dd', for the days on which medication has to be stopped. */
  nextSurgeryOn: string | null
  /** At the top of the side. */
  aside?: ReactNode
  /** At the bottom of the side. */
  below?: ReactNode
  /** Below the lists: the other parts of the chart. */
  children?: ReactNode
}

/** The health summary of a patient: allergies, medications and history, with alerts and measurements at the side. */
export function PatientHealth({ contactId, nextSurgeryOn, aside, below, children }: PatientHealthProps) {
  const { user } = useSession()
  const { health } = useHealth(contactId)
  const actions = useHealthActions(contactId)
  const editing = useEntryEditing()
  const { data } = health
  return (
    <EditingContext value={editing}>
      <div className="min-[72rem]:grid min-[72rem]:grid-cols-[minmax(0,1fr)_var(--panel)]">
        <div className="flex min-w-0 flex-col px-4 py-2 md:gap-7 md:px-6 md:py-5">
          {data ? (
            sections
              .filter((section) => seesSection(user, section))
              .map((section) => (
                <ReviewedSection
                  key={section}
                  contactId={contactId}
                  section={section}
                  health={data}
                  nextSurgeryOn={nextSurgeryOn}
                  actions={actions}
                />
              ))
          ) : health.error ? (
            <ErrorState title="Couldn’t load the health summary" onRetry={() => void health.refetch()} retrying={health.isFetching}>
              {messageOf(health.error)}
            </ErrorState>
          ) : (
            <LoadingSections />
          )}
          {children}
        </div>
        {data && (
          <div className="flex flex-col px-4 pb-4 md:gap-7 md:px-6 min-[72rem]:border-l min-[72rem]:border-line min-[72rem]:px-5 min-[72rem]:py-5">
            {aside}
            <Alerts contactId={contactId} health={data} actions={actions} />
            {maySee(user, 'healthSummary') && <Vitals contactId={contactId} health={data} onChange={actions.put} />}
            {below}
          </div>
        )}
      </div>
    </EditingContext>
  )
}

function LoadingSections() {
  return (
    <div role="status" aria-label="Loading" className="flex flex-col gap-7">
      {['w-28', 'w-36', 'w-44'].map((width) => (
        <div key={width} className="flex flex-col gap-5 py-2">
          <Skeleton className={`h-3.5 bg-active ${width}`} />
          <Skeleton className="w-full" />
          <Skeleton className="w-full" />
        </div>
      ))}
    </div>
  )
}
