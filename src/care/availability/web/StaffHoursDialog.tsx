import { useQueryClient } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import type { Person } from '../../../platform/auth/people-contract.ts'
import { weekdays } from '../../../platform/practice/web/embed/labels.ts'
import type { LocationData } from '../../../platform/practice/web/embed/usePractice.ts'
import { client, orpc } from '../../../ui/client/api.ts'
import { DateInput, TimeInput } from '../../../ui/controls/DateInput.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import { availabilityMessages } from '../contract.ts'
import { formatPeriod, type HoursPeriod } from './availability-labels.ts'
import type { StaffHoursData, WeeklySpanData } from './embed/useAvailability.ts'

interface StaffHoursDialogProps {
  person: Person
  hours: StaffHoursData
  /** The period to change; one without spans is new. */
  period: HoursPeriod
  locations: readonly LocationData[]
  onClose: () => void
}

/** `key`: stays the same while its times are typed. */
type Span = Pick<WeeklySpanData, 'weekday' | 'opens' | 'closes' | 'locationId'> & { key: string }

const spanProblem = ({ opens, closes }: Span): string | undefined =>
  opens === '' || closes === '' ? availabilityMessages.times : opens < closes ? undefined : availabilityMessages.closes

/** The hours of a person in a week, always or for a range of dates. Several spans a day leave breaks between them. */
export default function StaffHoursDialog({ person, hours, period, locations, onClose }: StaffHoursDialogProps) {
  const cache = useQueryClient()
  const isRegular = period.fromDay === null && period.toDay === null
  const form = useActionForm({
    initial: () => ({
      fromDay: period.fromDay ?? '',
      toDay: period.toDay ?? '',
      spans: period.spans.map(({ weekday, opens, closes, locationId }): Span => ({
        key: crypto.randomUUID(),
        weekday,
        opens,
        closes,
        locationId,
      })),
    }),
    check: ({ fromDay, toDay, spans }) => ({
      fromDay: !isRegular && fromDay === '' && toDay === '' ? 'Enter a date' : undefined,
      toDay: fromDay !== '' && toDay !== '' && toDay < fromDay ? availabilityMessages.toDay : undefined,
      spans: spans.map(spanProblem).find((problem) => problem !== undefined),
    }),
    send({ fromDay, toDay, spans }) {
      const isThis = (one: WeeklySpanData) => one.fromDay === period.fromDay && one.toDay === period.toDay
      const dates = { fromDay: fromDay === '' ? null : fromDay, toDay: toDay === '' ? null : toDay }
      return client.availability.setStaffHours({
        id: person.id,
        weekly: [...hours.weekly.filter((one) => !isThis(one)), ...spans.map(({ key: _, ...span }) => ({ ...span, ...dates }))],
      })
    },
    done: 'Hours saved',
    onDone() {
      void cache.invalidateQueries({ queryKey: orpc.availability.key() })
      onClose()
    },
  })
  const { spans } = form.values
  const change = (span: Span, part: Partial<Span>) => form.set({ spans: spans.map((one) => (one === span ? { ...one, ...part } : one)) })
  const add = (weekday: number) => {
    const last = spans.filter((one) => one.weekday === weekday).at(-1)
    // The first span is that of the previous day, so that a week is quickly filled.
    const previous = spans.find((one) => one.weekday === weekday - 1) ?? spans[0]
    const next: Span = last
      ? { ...last, key: crypto.randomUUID(), opens: last.closes, closes: '' }
      : {
          key: crypto.randomUUID(),
          weekday,
          opens: previous?.opens ?? '09:00',
          closes: previous?.closes ?? '17:00',
          locationId: previous?.locationId ?? null,
        }
    form.set({ spans: [...spans, next] })
  }

  return (
    <ActionDialog
      size="md"
      title={isRegular ? 'Regular hours' : 'Hours for dates'}
      description={
        isRegular
          ? `${person.fullName}. Without any, the practice’s hours apply.`
          : `${person.fullName}. They replace the regular hours then.`
      }
      form={form}
      action={{ label: 'Save hours' }}
      onClose={onClose}
    >
      {!isRegular && (
        <div className="grid grid-cols-2 gap-x-3">
          <Field label="First day" optional error={form.problems.fromDay}>
            <DateInput {...form.bind('fromDay')} />
          </Field>
          <Field label="Last day" optional error={form.problems.toDay}>
            <DateInput {...form.bind('toDay')} />
          </Field>
        </div>
      )}
      <ul aria-label={formatPeriod(period)} className="flex flex-col">
        {weekdays.map((name, index) => {
          const weekday = index + 1
          const ofDay = spans.filter((one) => one.weekday === weekday)
          return (
            <li
              key={name}
              className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-3 border-b border-line py-2 last:border-b-0 md:grid-cols-[6.5rem_minmax(0,1fr)_auto]"
            >
              <span className="pt-3 text-sm font-medium md:pt-2">{name}</span>
              <div className="flex flex-col gap-2 max-md:order-last max-md:col-span-2">
                {ofDay.length === 0 && <p className="text-sm text-fg-3 md:pt-2">Off</p>}
                {ofDay.map((span, place) => (
                  <div key={span.key} className="flex flex-wrap items-start gap-2">
                    <Field
                      label={`${name}, from`}
                      hideLabel
                      error={form.tries > 0 ? spanProblem(span) : undefined}
                      className="min-w-28 flex-1"
                    >
                      <TimeInput value={span.opens} onValueChange={(opens) => change(span, { opens })} />
                    </Field>
                    <Field label={`${name}, to`} hideLabel className="min-w-28 flex-1">
                      <TimeInput value={span.closes} onValueChange={(closes) => change(span, { closes })} />
                    </Field>
                    {locations.length > 1 && (
                      <Field label={`${name}, location`} hideLabel className="min-w-36 flex-1">
                        <Select
                          value={span.locationId}
                          noneLabel="Every location"
                          onValueChange={(locationId) => change(span, { locationId })}
                          options={locations.map(({ id, name: label }) => ({ value: id, label }))}
                        />
                      </Field>
                    )}
                    <IconButton
                      label={`Remove ${name} ${place + 1}`}
                      icon={<X />}
                      onClick={() => form.set({ spans: spans.filter((one) => one !== span) })}
                    />
                  </div>
                ))}
              </div>
              <IconButton label={`Add hours on ${name}`} icon={<Plus />} onClick={() => add(weekday)} />
            </li>
          )
        })}
      </ul>
    </ActionDialog>
  )
}
