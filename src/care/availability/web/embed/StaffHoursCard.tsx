import { useQueryClient } from '@tanstack/react-query'
import { CalendarOff, Pencil, Plus, UserRound, X } from 'lucide-react'
import { useState } from 'react'
import { useDirectory } from '../../../../crm/contacts/web/embed/useDirectory.ts'
import { assignableRoles } from '../../../../crm/contacts/rules.ts'
import type { Person } from '../../../../platform/auth/people-contract.ts'
import { useLocations } from '../../../../platform/practice/web/embed/usePractice.ts'
import { client, messageOf, orpc } from '../../../../ui/client/api.ts'
import { useClock, useSession } from '../../../../ui/client/session.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { EmptyState } from '../../../../ui/display/EmptyState.tsx'
import { Fact, Facts } from '../../../../ui/display/Facts.tsx'
import { Asked, Section } from '../../../../ui/display/Section.tsx'
import { today } from '../../../../ui/format.ts'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import { formatException, formatPeriod, type HoursPeriod, periodsOf, weekdayLines } from '../availability-labels.ts'
import { type ExceptionData, type StaffHoursData, useLiveAvailability, useStaffHours, useVisitTypes } from './useAvailability.ts'

const HoursDialog = lazyDialog(
  () => import('../StaffHoursDialog.tsx'),
  ({ onClose }) => onClose(),
)
const ExceptionDialog = lazyDialog(
  () => import('../ExceptionDialog.tsx'),
  ({ onClose }) => onClose(),
)

/** Settings, Hours and time off: when each person sees patients. */
export function StaffHoursCard() {
  const hours = useStaffHours()
  const visitTypes = useVisitTypes().data ?? []
  const { people } = useDirectory()
  useLiveAvailability()
  const mayChange = usePermission()('availability.setStaffHours')
  const { user } = useSession()
  const inVisits = new Set(visitTypes.flatMap(({ providerIds, secondIds }) => [...providerIds, ...secondIds]))
  return (
    <Asked query={hours} failed="Couldn’t load hours and time off">
      {(known) => {
        const shown = people.filter(
          ({ id, role }) =>
            assignableRoles.assignedProviderId.some((assignable) => assignable === role) ||
            inVisits.has(id) ||
            known.some((one) => one.id === id),
        )
        return (
          <div className="flex flex-col gap-8">
            <p className="max-w-[60ch] text-sm text-fg-2">
              Openings follow these hours. People without hours of their own work the practice’s hours.
              {!mayChange && ' Administrators can change hours; you can enter your own time off.'}
            </p>
            {shown.length === 0 && (
              <EmptyState icon={<UserRound />} title="No providers yet">
                Invite the people who see patients under Users.
              </EmptyState>
            )}
            {shown.map((person) => (
              <PersonHours
                key={person.id}
                person={person}
                hours={known.find(({ id }) => id === person.id) ?? { id: person.id, weekly: [], exceptions: [] }}
                mayChange={mayChange}
                isOwn={person.id === user?.id}
              />
            ))}
          </div>
        )
      }}
    </Asked>
  )
}

interface PersonHoursProps {
  person: Person
  hours: StaffHoursData
  mayChange: boolean
  isOwn: boolean
}

function PersonHours({ person, hours, mayChange, isOwn }: PersonHoursProps) {
  const cache = useQueryClient()
  const now = today(useClock())
  const locations = (useLocations().data ?? []).filter(({ isActive }) => isActive)
  /** The period in the dialog, or 'off' for time off. */
  const [open, setOpen] = useState<HoursPeriod | 'off' | null>(null)
  // A single location needs no name.
  const locationName = (id: string | null) => (locations.length > 1 ? (locations.find((one) => one.id === id)?.name ?? null) : null)
  const periods = periodsOf(hours.weekly).filter(({ toDay }) => toDay === null || toDay >= now)
  const regular = periods.find(({ fromDay, toDay }) => fromDay === null && toDay === null) ?? { fromDay: null, toDay: null, spans: [] }
  const others = periods.filter((period) => period !== regular)
  const edit = (period: HoursPeriod, label: string) =>
    mayChange && (
      <IconButton label={label} size="sm" icon={<Pencil />} onPointerEnter={HoursDialog.prepare} onClick={() => setOpen(period)} />
    )

  async function remove(one: ExceptionData) {
    try {
      await client.availability.removeException({ id: one.id })
      await cache.invalidateQueries({ queryKey: orpc.availability.key() })
      const { id: _, ...given } = one
      toast.undoable(`${one.kind === 'off' ? 'Time off' : 'Additional hours'} removed`, () => {
        client.availability
          .addException({ ...given, profileId: person.id })
          .then(() => cache.invalidateQueries({ queryKey: orpc.availability.key() }))
          .catch((error: unknown) => toast.error('This was not restored', messageOf(error)))
      })
    } catch (error) {
      toast.error('This was not removed', messageOf(error))
    }
  }

  return (
    <Section
      id={`hours-${person.id}`}
      title={person.fullName}
      actions={
        (mayChange || isOwn) && (
          <>
            {mayChange && (
              <Button
                icon={<Plus />}
                onPointerEnter={HoursDialog.prepare}
                onClick={() => setOpen({ fromDay: now, toDay: null, spans: [] })}
              >
                Add hours for dates
              </Button>
            )}
            <Button icon={<CalendarOff />} onPointerEnter={ExceptionDialog.prepare} onClick={() => setOpen('off')}>
              Add time off
            </Button>
          </>
        )
      }
    >
      {[regular, ...others].map((period) => (
        <div key={formatPeriod(period)} className="pt-3">
          <div className="flex items-center gap-1">
            <h3 className="text-sm font-medium">{formatPeriod(period)}</h3>
            {edit(period, `Change ${formatPeriod(period).toLowerCase()} of ${person.fullName}`)}
          </div>
          {period.spans.length === 0 ? (
            <p className="text-sm text-fg-3">The practice’s hours</p>
          ) : (
            <Facts className="pt-1">
              {weekdayLines(period, locationName).map(({ name, hours: text }) => (
                <Fact key={name} label={name}>
                  <span className="tabular-nums">{text}</span>
                </Fact>
              ))}
            </Facts>
          )}
        </div>
      ))}
      {hours.exceptions.length > 0 && (
        <div className="pt-3">
          <h3 className="text-sm font-medium">Time off and additional hours</h3>
          <ul aria-label={`Time off and additional hours of ${person.fullName}`}>
            {hours.exceptions.map((one) => (
              <li key={one.id} className="flex items-start gap-4 border-b border-line py-1.5 text-sm">
                <span className="w-25 flex-none text-fg-3">{one.kind === 'off' ? 'Off' : 'Additional'}</span>
                <span className="min-w-0 flex-1 tabular-nums">
                  {formatException(one)}
                  {one.note && <span className="block wrap-anywhere text-fg-3">{one.note}</span>}
                </span>
                {(mayChange || (isOwn && one.kind === 'off')) && (
                  <IconButton label={`Remove ${formatException(one)}`} size="sm" icon={<X />} onClick={() => void remove(one)} />
                )}
              </li>
            ))}
          </ul>
        </div>
      )}
      {open === 'off' && <ExceptionDialog person={person} mayAddHours={mayChange} onClose={() => setOpen(null)} />}
      {open !== null && open !== 'off' && (
        <HoursDialog person={person} hours={hours} period={open} locations={locations} onClose={() => setOpen(null)} />
      )}
    </Section>
  )
}
