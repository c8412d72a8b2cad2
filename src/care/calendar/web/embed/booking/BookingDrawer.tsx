import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { UserRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { messageOf, statusOf } from '../../../../../ui/client/api.ts'
import { Button } from '../../../../../ui/controls/Button.tsx'
import { ErrorState } from '../../../../../ui/display/EmptyState.tsx'
import { SideDrawer } from '../../../../../ui/overlays/SideDrawer.tsx'
import { Skeleton } from '../../../../../ui/display/Skeleton.tsx'
import { nameWithPreferred } from '../../../../../crm/contacts/web/embed/contact-data.ts'
import { PatientIdentity } from '../../../../../crm/contacts/web/embed/PatientIdentity.tsx'
import type { Booking } from './bookings.ts'
import { SameNameAlert } from './SameName.tsx'

interface BookingDrawerProps<Data> {
  noun: 'appointment' | 'surgery'
  found: UseQueryResult<Data>
  renderBadge: (booking: Data) => ReactNode
  renderActions: (booking: Data) => ReactNode
  /** False on the patient's own page. */
  linksPatient: boolean
  onClose: () => void
  children: (booking: Data) => ReactNode
}

const titles = { appointment: 'Appointment', surgery: 'Surgery' }

/** The drawer of a booking: the patient's name, details and actions. */
export function BookingDrawer<Data extends Pick<Booking, 'contact' | 'startsAt'>>(props: BookingDrawerProps<Data>) {
  const { noun, found, renderBadge, renderActions, linksPatient, onClose, children } = props
  const { data } = found
  return (
    <SideDrawer
      title={data ? nameWithPreferred(data.contact) : titles[noun]}
      description={data && <PatientIdentity patient={data.contact} hidesName />}
      aside={data && renderBadge(data)}
      onClose={onClose}
      footer={
        data && (
          <>
            {renderActions(data)}
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
        <>
          <SameNameAlert booking={data} />
          {children(data)}
        </>
      ) : found.error ? (
        statusOf(found.error) === 404 ? (
          <ErrorState title={`${noun[0]!.toUpperCase()}${noun.slice(1)} not found`}>It was deleted with its patient.</ErrorState>
        ) : (
          <ErrorState title={`Couldn’t load the ${noun}`} onRetry={() => void found.refetch()} retrying={found.isFetching}>
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
