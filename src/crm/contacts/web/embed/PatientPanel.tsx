import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { messageOf, orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { BreakableEmail } from '../../../../ui/display/BreakableEmail.tsx'
import { Avatar } from '../../../../ui/display/Avatar.tsx'
import { ErrorState } from '../../../../ui/display/EmptyState.tsx'
import { Fact, Facts, PanelSection } from '../../../../ui/display/Facts.tsx'
import { type Clock, formatPhone } from '../../../../ui/format.ts'
import { Skeleton } from '../../../../ui/display/Skeleton.tsx'
import { None } from '../../../../ui/display/Table.tsx'
import { StageName } from '../../../pipeline/web/embed/StageName.tsx'
import { PatientTasks } from '../../../tasks/web/embed/PatientTasks.tsx'
import { useTaskKey } from '../../../tasks/web/embed/usePatientTasks.ts'
import type { ContactRow } from './contact-data.ts'
import { byId, type Directory } from './directory.ts'

interface PatientPanelProps {
  contact: Pick<ContactRow, 'id' | 'firstName' | 'lastName'>
  directory: Directory
  clock: Clock
}

/** The patient panel next to their emails: key facts and tasks. */
export function PatientPanel({ contact, directory, clock }: PatientPanelProps) {
  const cache = useQueryClient()
  const { id, firstName, lastName } = contact
  useTaskKey(contact)
  const patient = useQuery(orpc.contacts.get.queryOptions({ input: { id } }))
  const refresh = () => void cache.invalidateQueries({ queryKey: orpc.contacts.get.key({ input: { id } }) })
  useLive(['contact'], (ids) => (ids === null || ids.has(id)) && refresh(), { debounceMs: 300 })
  const { data } = patient
  const owner = data && byId(directory.people, data.assignedSalesRepId)
  return (
    <>
      <PanelSection title="Patient">
        <Link
          to="/contacts/$id"
          params={{ id }}
          className="-mx-2 mb-3 flex items-center gap-3 rounded-md px-2 py-1.5 text-md font-semibold text-fg hover:bg-hover"
        >
          <Avatar kind="patient" firstName={firstName} lastName={lastName} />
          <span className="min-w-0 break-words">
            {firstName} {lastName}
          </span>
        </Link>
        {data ? (
          <Facts>
            <Fact label="Stage">{data.funnelStageId ? <StageName stages={directory.stages} id={data.funnelStageId} /> : <None />}</Fact>
            <Fact label="Phone">
              {data.phone ? (
                <a href={`tel:${data.phone.replace(/[^\d+]/g, '')}`} className="text-accent-fg tabular-nums hover:underline">
                  {formatPhone(data.phone)}
                </a>
              ) : (
                <None />
              )}
            </Fact>
            <Fact label="Email">{data.email ? <BreakableEmail email={data.email} /> : <None />}</Fact>
            <Fact label="Owner">{owner?.fullName ?? <None>No owner</None>}</Fact>
          </Facts>
        ) : patient.error ? (
          <ErrorState
            title="Couldn’t load the patient"
            onRetry={() => void patient.refetch()}
            retrying={patient.isFetching}
            className="py-4"
          >
            {messageOf(patient.error)}
          </ErrorState>
        ) : (
          <div role="status" aria-label="Loading" className="flex h-24 flex-col gap-3">
            <Skeleton className="w-2/3" />
            <Skeleton className="w-1/2" />
            <Skeleton className="w-2/3" />
          </div>
        )}
      </PanelSection>
      <PatientTasks patient={contact} clock={clock} />
    </>
  )
}
