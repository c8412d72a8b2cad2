import { useQuery } from '@tanstack/react-query'
import { CalendarPlus, CircleCheckBig, CircleDashed } from 'lucide-react'
import { useState } from 'react'
import { SurgeryCheckIns } from '../../../check-ins/web/embed/SurgeryCheckIns.tsx'
import { type Names, providerName, roomName, useNames } from '../../../calendar/web/embed/names.ts'
import { formatWhen } from '../../../calendar/web/embed/times.ts'
import { SurgeryConsents } from '../../../../chart/consent-forms/web/embed/SurgeryConsents.tsx'
import { orpc } from '../../../../ui/client/api.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { PanelSection } from '../../../../ui/display/Facts.tsx'
import { type Clock, formatDay } from '../../../../ui/format.ts'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { Skeleton } from '../../../../ui/display/Skeleton.tsx'
import { None } from '../../../../ui/display/Table.tsx'
import { useKey } from '../../../../ui/hooks/useKey.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { upcomingStatuses } from '../../rules.ts'
import { Checklist } from '../checklist/Checklist.tsx'
import { Readiness } from '../checklist/Readiness.tsx'
import { SafetySummary } from '../safety/SafetySummary.tsx'
import { StatusBadge } from '../StatusMark.tsx'
import type { SurgeryData, SurgeryPatient } from '../surgery-data.ts'
import { useLiveSurgeries } from '../useLiveSurgeries.ts'
import { useSurgeryDialogs } from '../useSurgeryDialogs.tsx'
import { formatProcedures } from '../labels.ts'

const none: readonly never[] = []

/** The specialist consult of a patient whose surgery is booked; dates are calendar days. */
export interface SpecialistConsult {
  type: string | null
  isReceived: boolean
  receivedOn: string | null
}

interface PatientSurgeriesProps {
  patient: SurgeryPatient
  /** Null unless a consult is required and surgery is booked (spec 4). */
  specialistConsult: SpecialistConsult | null
  clock: Clock
}

/** A patient's surgeries: the next one with its checklist, then the others. */
export function PatientSurgeries({ patient, specialistConsult, clock }: PatientSurgeriesProps) {
  const names = useNames()
  const mayBook = usePermission()('surgeries.create')
  const [viewedId, setViewedId] = useState<string | null>(null)
  const { dialogs, book, prepare } = useSurgeryDialogs({ viewedId, onView: setViewedId, isPatientPage: true })
  // Its missing items may have changed while this page did not listen to events.
  const list = useQuery(orpc.surgeries.ofContact.queryOptions({ input: { contactId: patient.id }, staleTime: 0 }))
  useLiveSurgeries(list.data ?? none)
  const begin = () => mayBook && book(patient)
  useKey('shift+b', 'Book surgery', begin)
  const all = list.data ?? none
  // Newest first.
  const next = all.findLast(({ status, endsAt }) => upcomingStatuses.includes(status) && Date.parse(endsAt) > new Date(clock.now).getTime())
  const others = all.filter((one) => one !== next)
  const last = all.find(({ status }) => status === 'completed')

  return (
    <PanelSection
      title="Surgery"
      action={
        mayBook && (
          <IconButton label="Book surgery" keys="shift+b" icon={<CalendarPlus />} size="sm" onPointerEnter={prepare} onClick={begin} />
        )
      }
    >
      {list.error && !list.data ? (
        <p role="alert" className="text-sm text-danger-fg">
          Couldn’t load surgeries.{' '}
          <Button size="sm" variant="quiet" onClick={() => void list.refetch()}>
            Try again
          </Button>
        </p>
      ) : list.isPending ? (
        <Skeleton className="w-2/3" />
      ) : (
        <>
          {all.length === 0 && (
            <p className="text-sm">
              <None>None booked</None>
            </p>
          )}
          {!next && specialistConsult && <SpecialistItem consult={specialistConsult} />}
          {next && (
            <div className="flex flex-col gap-3">
              <ul aria-label="Next surgery" className="-mx-2">
                <SurgeryLine surgery={next} names={names} clock={clock} onOpen={() => setViewedId(next.id)} />
              </ul>
              <Readiness surgery={next} />
              <SurgeryConsents surgeryId={next.id} contactId={patient.id} />
              <SafetySummary surgery={next} names={names} />
              <Checklist surgery={next} names={names} />
            </div>
          )}
          {last && (
            <div className="pt-3">
              <SurgeryCheckIns surgeryId={last.id} contactId={patient.id} />
            </div>
          )}
          {others.length > 0 && (
            <ul aria-label={next ? 'Other surgeries' : 'Surgeries'} className={`-mx-2 ${next ? 'pt-2' : ''}`}>
              {others.map((surgery) => (
                <SurgeryLine key={surgery.id} surgery={surgery} names={names} clock={clock} onOpen={() => setViewedId(surgery.id)} />
              ))}
            </ul>
          )}
        </>
      )}
      {dialogs}
    </PanelSection>
  )
}

/** The specialist item of the checklist, shown even if no scheduled surgery has a checklist yet (spec 4). */
function SpecialistItem({ consult: { type, isReceived, receivedOn } }: { consult: SpecialistConsult }) {
  return (
    <ul aria-label="Checklist" className="pt-2">
      <li className="flex items-start gap-2.5 text-sm">
        <span
          role="img"
          aria-label={isReceived ? 'Done' : 'Open'}
          className={`flex h-5 w-4 flex-none items-center ${isReceived ? 'text-success-fg' : 'text-fg-3'}`}
        >
          {isReceived ? <CircleCheckBig /> : <CircleDashed />}
        </span>
        <div className="min-w-0 flex-1">
          <p className={isReceived ? 'text-fg-2' : 'text-fg'}>
            Specialist consult
            {type && <span className="text-fg-2">: {type}</span>}
          </p>
          <p className="text-xs text-fg-3">
            {isReceived ? `Results received${receivedOn ? ` ${formatDay(receivedOn)}` : ''}` : 'Results not received'}
          </p>
        </div>
      </li>
    </ul>
  )
}

interface SurgeryLineProps {
  surgery: SurgeryData
  names: Names
  clock: Clock
  onOpen: () => void
}

function SurgeryLine({ surgery, names, clock, onOpen }: SurgeryLineProps) {
  const { status, shownStatus, surgeonId, roomId } = surgery
  const facts = [providerName(surgeonId, names), roomName(roomId, names)].filter(Boolean)
  return (
    <li>
      <button
        type="button"
        onClick={onOpen}
        className="flex min-h-11 w-full items-start gap-2 rounded-sm px-2 py-1 text-left outline-offset-[-2px] hover:bg-hover"
      >
        <span className="min-w-0 flex-1">
          <span className={`block text-sm font-medium ${status === 'cancelled' ? 'text-fg-3 line-through' : 'text-fg'}`}>
            {formatProcedures(surgery)}
          </span>
          <span className="block truncate text-sm text-fg-2 tabular-nums">{formatWhen(surgery, clock)}</span>
          {facts.length > 0 && <span className="block truncate text-xs text-fg-3">{facts.join(' · ')}</span>}
        </span>
        <StatusBadge status={shownStatus} />
      </button>
    </li>
  )
}
